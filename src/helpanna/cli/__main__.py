"""`python -m helpanna.cli` is `helpanna`."""

from helpanna.cli.main import main

main()
