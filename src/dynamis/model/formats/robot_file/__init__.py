"""The robot file (TOML) and the joint table."""
