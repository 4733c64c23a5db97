"""What memory serves: pure decisions over candidates that the store found."""
