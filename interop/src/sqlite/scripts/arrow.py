# Says, as JSON, what pyarrow finds in each Arrow file, and whether ADBC reads the same from the
# database: for each of `[database, query, file, adbc]`, of which the last says whether to
# ask ADBC.
import json
import sys

import adbc_driver_sqlite.dbapi
import pyarrow
import pyarrow.ipc


def listing(table):
    """Each column's values as hexadecimal digits, from the buffers themselves."""
    columns = []
    for column in table.columns:
        values = column.cast(pyarrow.large_binary()).to_pylist()
        columns.append([None if value is None else value.hex() for value in values])
    return columns


def problem(table):
    try:
        table.validate(full=True)
    except pyarrow.ArrowInvalid as error:
        return str(error)
    return ""


def adbc(database, query, ours):
    """Whether ADBC's table is equal; what it has for no text at all is a column of integers."""
    with adbc_driver_sqlite.dbapi.connect(database) as db, db.cursor() as cursor:
        cursor.execute(query)
        theirs = cursor.fetch_arrow_table()
    assert theirs.column_names == ours.column_names
    as_text = pyarrow.schema([(name, pyarrow.large_string()) for name in ours.column_names])
    for column in theirs.columns:
        assert pyarrow.types.is_string(column.type) or column.null_count == len(column)
    return theirs.cast(as_text).equals(ours.cast(as_text))


answers = []
for database, query, file, ask in json.load(sys.stdin):
    with pyarrow.memory_map(file) as source:
        reader = pyarrow.ipc.open_file(source)
        ours = reader.read_all()
        answers.append(
            {
                "types": [str(kind) for kind in ours.schema.types],
                "batches": reader.num_record_batches,
                "problem": problem(ours),
                "columns": listing(ours),
                "adbc": adbc(database, query, ours) if ask else None,
            }
        )
print(json.dumps(answers))
