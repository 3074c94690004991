"""The five documents that dynamis grew from, task by task: our results beside the printed ones, and their errata."""
