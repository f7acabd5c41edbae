# Prints the table `t (id, s)`: what class a value is of, and its bytes as stored.
assert next(iter(db.execute("PRAGMA encoding")))[0] == encoding
for row in db.execute("SELECT id, typeof(s), hex(s) FROM t ORDER BY id"):
    print(*row, sep="|")
