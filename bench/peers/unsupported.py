"""Apart from network.py, which needs numpy."""


class Unsupported(Exception):
    """This row cannot be what the configuration asks for."""
