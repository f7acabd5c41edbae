# The head of both scripts: a connection to a file, of Python's own module or of apsw.
import json
import sys

module, file, encoding = sys.argv[1:]
if module == "apsw":
    import apsw

    db = apsw.Connection(file)
else:
    import sqlite3

    db = sqlite3.connect(file)
