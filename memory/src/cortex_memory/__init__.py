"""The warehouse: consolidates Observations into facts and answers context requests."""
