"""Where others call the compiler: KRM functions (`krm`) and the Kubeflow SDK (`sdk`). Nothing else imports these."""
