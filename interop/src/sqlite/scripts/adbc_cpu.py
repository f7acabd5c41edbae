# Tells what ADBC spends on a table `t (id, s)` as Arrow: a line of the standard input is a file, how
# many rows a batch has and how often to read all, and each is answered with the nanoseconds of
# processor time that this process took, the rows and the bytes of their texts.
import sys
import time

import adbc_driver_sqlite.dbapi
import pyarrow.compute

connections = {}
for line in sys.stdin:
    file, batch, runs = line.split(" ")
    db = connections.setdefault(file, adbc_driver_sqlite.dbapi.connect(file))
    with db.cursor() as cursor:
        options = {"adbc.sqlite.query.batch_rows": batch}
        before = time.process_time_ns()
        for _ in range(int(runs)):
            cursor.adbc_statement.set_options(**options)
            cursor.execute("SELECT s FROM t")
            rows = 0
            for read in cursor.fetch_record_batch():
                rows += read.num_rows
        spent = time.process_time_ns() - before
        cursor.execute("SELECT s FROM t")
        table = cursor.fetch_arrow_table()
    size = pyarrow.compute.sum(pyarrow.compute.binary_length(table["s"])).as_py()
    assert rows == table.num_rows
    print(spent, rows, size, flush=True)
