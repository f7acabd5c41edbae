//! A program on sqlx: it writes through sqlx, reads with `sqlite-text`, and goes on with sqlx.

use futures_executor::block_on;
use sqlite_low_end::{function_on_sqlx, on_sqlx, reader_on_sqlx};
use sqlite_text::{Error, StorageClass, TextBuf, TypePolicy};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

const TEXTS: [&str; 5] =
    ["", "a", "exactly-24-bytes-of-text", "Zürich\0京都 😀", "longer than inline"];

/// A database in memory whose table `t` holds the texts and a NULL.
async fn filled(encoding: &str, serialized: bool) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .in_memory(true)
        .serialized(serialized)
        .pragma("encoding", format!("'{encoding}'"));
    let mut db = options.connect().await.unwrap();
    sqlx::query("CREATE TABLE t (id INTEGER PRIMARY KEY, s)").execute(&mut db).await.unwrap();
    for text in TEXTS.into_iter().map(Some).chain([None]) {
        sqlx::query("INSERT INTO t (s) VALUES (?)").bind(text).execute(&mut db).await.unwrap();
    }
    db
}

#[test]
fn what_sqlx_wrote_is_read_in_every_encoding() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for serialized in [false, true] {
            block_on(async {
                let mut db = filled(encoding, serialized).await;
                let mut handle = db.lock_handle().await.unwrap();
                let mut kept: Vec<Option<TextBuf>> = Vec::new();
                {
                    let mut statement = on_sqlx(&mut handle, "SELECT s FROM t ORDER BY id");
                    let mut rows = statement.query_bound().unwrap();
                    let s = rows.column_index("S").unwrap();
                    while let Some(row) = rows.next().unwrap() {
                        let text = row.text_opt(s).unwrap();
                        assert_eq!(text.map(str::len), row.text_bytes(s).ok().map(<[u8]>::len));
                        kept.push(text.map(TextBuf::from));
                    }
                }
                drop(handle);
                let kept: Vec<_> = kept.iter().map(Option::as_deref).collect();
                let expected: Vec<_> = TEXTS.into_iter().map(Some).chain([None]).collect();
                assert_eq!(kept, expected, "{encoding}, serialized: {serialized}");

                // The connection is sqlx's again, and closes, which it would not with a statement left.
                let row =
                    sqlx::query("SELECT count(*), (SELECT encoding FROM pragma_encoding) FROM t")
                        .fetch_one(&mut db)
                        .await
                        .unwrap();
                assert_eq!(row.get::<i64, _>(0), 6);
                assert_eq!(row.get::<String, _>(1), encoding);
                db.close().await.unwrap();
            });
        }
    }
}

#[test]
fn errors_are_told_on_its_connection() {
    block_on(async {
        let mut db = filled("UTF-8", false).await;
        let mut handle = db.lock_handle().await.unwrap();
        let sql = "SELECT cast(x'61FF' AS TEXT), 7, NULL, x'61', abs(-9223372036854775807 - 1)";
        let mut statement = on_sqlx(&mut handle, sql);
        let overflow = Error::Sqlite { code: 1, extended: 1, message: "integer overflow".into() };
        assert_eq!(statement.query_bound().unwrap().next().unwrap_err(), overflow);
        drop(statement);

        let mut statement = on_sqlx(&mut handle, &sql.replace("abs", ""));
        let mut rows = statement.query_bound().unwrap();
        let row = rows.next().unwrap().unwrap();
        assert_eq!(row.text(0), Err(Error::InvalidUtf8 { column: 0, row: 0, valid_up_to: 1 }));
        assert_eq!(row.text_lossy(0).unwrap(), "a\u{FFFD}");
        for (column, actual) in
            [(1, StorageClass::Integer), (2, StorageClass::Null), (3, StorageClass::Blob)]
        {
            assert_eq!(row.text(column), Err(Error::InvalidType { column, row: 0, actual }));
        }
        assert_eq!(row.text(5), Err(Error::ColumnOutOfRange { column: 5 }));
        assert!(rows.next().unwrap().is_none());
        assert!(rows.next().unwrap().is_none());
        drop(rows);

        let mut statement = statement.policy(TypePolicy::Coerce);
        let mut rows = statement.query_bound().unwrap();
        let row = rows.next().unwrap().unwrap();
        assert_eq!(row.text_opt(1), Ok(Some("7")));
        assert_eq!(row.text_opt(2), Ok(None));
        assert_eq!(row.text_opt(3), Ok(Some("a")));
    });
}

#[test]
fn a_large_text_comes_in_pieces() {
    let text = "京都の秋 ".repeat(100_000);
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        block_on(async {
            let mut db = filled(encoding, false).await;
            sqlx::query("INSERT INTO t VALUES (9, ?)").bind(&text).execute(&mut db).await.unwrap();
            let mut handle = db.lock_handle().await.unwrap();
            let mut reader = reader_on_sqlx(&mut handle, 9).unwrap();
            let (mut read, mut pieces) = (String::new(), 0);
            while let Some(piece) = reader.next_chunk().unwrap() {
                read += piece;
                pieces += 1;
            }
            assert!(read == text, "{encoding}: {} bytes of {}", read.len(), text.len());
            assert!(pieces > 10, "{encoding}: {pieces}");
        });
    }
}

#[test]
fn sqlx_calls_a_function_of_ours() {
    for encoding in ["UTF-8", "UTF-16be"] {
        block_on(async {
            let mut db = filled(encoding, false).await;
            function_on_sqlx(&mut db.lock_handle().await.unwrap()).unwrap();
            for (given, expected) in [(Some(" Zürich\n"), Some("Zürich")), (None, None)] {
                let row = sqlx::query("SELECT trimmed(?), trimmed(s) FROM t WHERE id = 4")
                    .bind(given)
                    .fetch_one(&mut db)
                    .await
                    .unwrap();
                assert_eq!(row.get::<Option<String>, _>(0).as_deref(), expected, "{encoding}");
                assert_eq!(row.get::<String, _>(1), TEXTS[3], "{encoding}");
            }
        });
    }
}
