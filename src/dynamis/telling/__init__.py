"""What is told to people: blocks of words, equations, tables and figures, and how each format renders them."""
