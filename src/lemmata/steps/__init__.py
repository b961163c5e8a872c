"""What engines tell of a run that is recorded (``Config.record``), one value per step: ``lemmata explain`` reads them."""
