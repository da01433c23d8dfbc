"""What a compile is asked: the options, the settings of a project, and passes of other distributions."""
