"""What each tab of the page asks for: one file per tab."""
