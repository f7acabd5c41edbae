import pymssql

for session in sessions:
    connection = pymssql.connect(
        host, session["user"], "secret", "base", port=port, autocommit=True, tds_version="7.4",
        timeout=30, login_timeout=30,
    )
    cursor = connection.cursor()
    for ask in session["asks"]:
        cursor.execute(ask["sql"])
        show(cursor.fetchall())
    connection.close()
