"""What the API server, the webhooks of Trainer and JobSet's own admission say, in their words and in their order."""
