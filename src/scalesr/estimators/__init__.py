"""The method as scikit-learn knows it: estimators that check their input, fit, predict and can be saved."""
