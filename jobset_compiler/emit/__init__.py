"""Objects as text: YAML (`emit.yaml`), JSON (`emit.json`) and names (`emit.names`)."""
