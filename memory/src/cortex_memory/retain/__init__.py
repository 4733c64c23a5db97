"""The pure core of retaining: from observations to facts."""
