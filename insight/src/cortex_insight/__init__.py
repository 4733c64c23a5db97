"""The lake: stores raw events and parses them into typed Observations."""
