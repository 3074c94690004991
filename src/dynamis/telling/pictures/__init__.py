"""Pictures of lines, circles and labels, as SVG, TikZ, PNG and PDF; labels that keep clear of each other."""
