"""The linear model of the torques and its parameters: sufficient statistics, estimators, folds, cut-offs."""
