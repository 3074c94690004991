"""Check my answer: the user's own equations, read, compared exactly, and what is wrong in them said."""
