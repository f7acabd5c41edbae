//! The same questions asked by tokio-postgres.

use super::message::{Column, Row};
use anyhow::{Context as _, Result};
use std::error::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Client, Config, NoTls, SimpleQueryMessage};

/// A connection of tokio-postgres, and what runs it.
#[derive(Debug)]
pub(super) struct Oracle {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
    connection: JoinHandle<Result<(), tokio_postgres::Error>>,
}

impl Oracle {
    /// Connects.
    pub(super) fn connect(config: &Config) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (client, connection) = runtime.block_on(config.connect(NoTls))?;
        let connection = runtime.spawn(connection);
        Ok(Self { runtime, client, connection })
    }

    /// Columns and rows by the extended protocol: the bytes of the values as they came.
    pub(super) fn binary(&self, query: &str) -> Result<(Vec<Column>, Vec<Row>)> {
        self.runtime.block_on(async {
            let statement = self.client.prepare(query).await?;
            let columns = statement.columns().iter().map(|column| Column {
                name: column.name().to_owned(),
                type_oid: column.type_().oid(),
                binary: true,
            });
            let rows = self.client.query(&statement, &[]).await?;
            let rows = rows.iter().map(|row| {
                (0..row.len()).map(|at| row.get::<_, Raw<'_>>(at).0.map(<[u8]>::to_vec)).collect()
            });
            Ok((columns.collect(), rows.collect()))
        })
    }

    /// Rows as text, and how many rows each statement told.
    pub(super) fn text(&self, query: &str) -> Result<(Vec<Row>, Vec<u64>)> {
        let (mut rows, mut told) = (Vec::new(), Vec::new());
        for message in self.runtime.block_on(self.client.simple_query(query))? {
            match message {
                SimpleQueryMessage::Row(row) => {
                    let values =
                        (0..row.len()).map(|at| row.get(at).map(|v| v.as_bytes().to_vec()));
                    rows.push(values.collect());
                }
                SimpleQueryMessage::CommandComplete(n) => told.push(n),
                _ => {}
            }
        }
        Ok((rows, told))
    }

    /// Says goodbye.
    pub(super) fn close(self) -> Result<()> {
        drop(self.client);
        Ok(self.runtime.block_on(self.connection).context("its task")??)
    }
}

/// A value's bytes, of any type.
struct Raw<'a>(Option<&'a [u8]>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(Some(raw)))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
