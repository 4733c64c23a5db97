"""How well names of predicates are matched: a labelled set, and the limit of each model."""
