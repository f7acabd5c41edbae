# Makes a table `t (id, s)` of the values that come as JSON, from id 0.
db.execute(f"PRAGMA encoding = '{encoding}'")
db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s)")
with db:
    for id, (kind, digits) in enumerate(json.load(sys.stdin)):
        value = bytes.fromhex(digits)
        if kind == "invalid":
            # A literal has the encoding of the database, a bound blob none.
            db.execute(f"INSERT INTO t VALUES (?, CAST(x'{digits}' AS TEXT))", (id,))
            continue
        if kind != "blob":
            value = value.decode() if kind == "text" else None
        db.execute("INSERT INTO t VALUES (?, ?)", (id, value))
