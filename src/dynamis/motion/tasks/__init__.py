"""Task files as motions: points become joint values, words a trajectory; the tasks that ship with dynamis."""
