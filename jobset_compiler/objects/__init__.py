"""Plan -> the objects that the controller would submit: the JobSet, its companions, and what it keeps beside them."""
