"""Documents as text, LaTeX, Typst, HTML, Markdown and JSON."""
