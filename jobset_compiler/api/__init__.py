"""The documents as the pipeline sees them: frozen TrainJobs, runtimes and patches."""
