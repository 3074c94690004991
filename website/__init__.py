"""What the documentation site shows that nobody writes by hand: the reference, the commands and the gallery."""
