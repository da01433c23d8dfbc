"""flux: its passes are in policy.py, what it makes in config.py and curve.py."""
