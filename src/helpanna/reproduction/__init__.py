"""The paper's experiments on the dataset at hand: what is trained and evaluated, and the tables of it."""
