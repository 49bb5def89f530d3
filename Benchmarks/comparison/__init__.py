"""Runs servers and their load clients side by side; see ../compare.py."""
