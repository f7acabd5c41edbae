# Prints what was read: a letter a value, lengths in four bytes, little-endian.
import json, struct, sys

out = sys.stdout.buffer


def counted(letter, value):
    out.write(letter + struct.pack("<I", len(value)) + value)


def show(rows):
    for row in rows:
        for value in row:
            if value is None:
                out.write(b"N")
            elif isinstance(value, int):
                out.write(b"I" + struct.pack("<i", value))
            elif isinstance(value, str):
                counted(b"T", value.encode())
            else:
                counted(b"B", bytes(value))
        out.write(b"R")
    out.write(b"E")


host, port = sys.argv[1].split(":")
sessions = json.load(sys.stdin)
