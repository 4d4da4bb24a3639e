"""Reads an 8-bit grey PNG with nothing but the standard library, for the twins of the examples."""
import struct
import zlib

import numpy as np


def read_grey(path):
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            columns, rows, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 0), "not an 8-bit grey picture"
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(rows, columns + 1)
    picture = np.zeros((rows + 1, columns + 1), np.int64)  # a row and a column of zeros around
    for r in range(rows):
        kind, line = lines[r, 0], lines[r, 1:]
        for c in range(columns):
            left, up, corner = picture[r + 1, c], picture[r, c + 1], picture[r, c]
            picture[r + 1, c + 1] = (line[c] + predict(kind, left, up, corner)) & 255
    return picture[1:, 1:].astype(np.uint8)


def predict(kind, left, up, corner):
    if kind == 0:
        return 0
    if kind == 1:
        return left
    if kind == 2:
        return up
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
