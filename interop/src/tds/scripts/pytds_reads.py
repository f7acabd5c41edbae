import pytds

for session in sessions:
    connection = pytds.connect(
        host, "base", session["user"], "secret", port=int(port), autocommit=True,
        blocksize=session["packet_size"], disable_connect_retry=True, timeout=30,
    )
    cursor = connection.cursor()
    rows = []
    for ask in session["asks"]:
        if ask["how"] == "call":
            value = rows[0][1]
            # Plain bytes would go as text.
            value = pytds.Binary(value) if isinstance(value, bytes) else value
            cursor.execute("select %s", (value,))
        else:
            cursor.execute(ask["sql"])
        if ask["how"] == "cancel":
            assert len(cursor.fetchmany(150)) == 150
            cursor.cancel()
            rows = []
        else:
            rows = cursor.fetchall()
        show(rows)
    connection.close()
