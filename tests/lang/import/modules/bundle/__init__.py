__all__ = ["listed", "value"]
value = "of the package"
hidden = 1
