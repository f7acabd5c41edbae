//! tiberius, in this process.

use super::plan::{How, Session};
use super::values::{Row, Value};
use anyhow::{Context as _, Result, bail};
use futures_util::io::AllowStdIo;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tiberius::{AuthMethod, Client, ColumnData, Config, EncryptionLevel, ToSql};

/// Over a socket that blocks: it does one thing at a time.
type Blocking = Client<AllowStdIo<TcpStream>>;

pub(super) fn run(address: SocketAddr, sessions: &[Session]) -> Result<Vec<Vec<Vec<Row>>>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        let mut all = Vec::new();
        for session in sessions {
            all.push(read(address, session).await?);
        }
        Ok(all)
    })
}

async fn read(address: SocketAddr, session: &Session) -> Result<Vec<Vec<Row>>> {
    let mut config = Config::new();
    config.host(address.ip());
    config.port(address.port());
    config.database("base");
    config.authentication(AuthMethod::sql_server(&session.user, "secret"));
    config.encryption(EncryptionLevel::NotSupported);
    config.packet_size(u32::try_from(session.packet_size)?);
    let socket = TcpStream::connect(address)?;
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut client = Client::connect(config, AllowStdIo::new(socket)).await?;
    let mut answers: Vec<Vec<Row>> = Vec::new();
    for ask in &session.asks {
        let rows = match ask.how {
            How::Batch => rows(client.simple_query(&ask.sql).await?.into_first_result().await?)?,
            How::Call => {
                let before = answers.last().and_then(|rows| rows.first()?.get(1));
                send_back(&mut client, &ask.sql, before.context("no answer before it")?).await?
            }
            How::Cancel => bail!("tiberius sends no attention"),
        };
        answers.push(rows);
    }
    client.close().await?;
    Ok(answers)
}

async fn send_back(client: &mut Blocking, sql: &str, value: &Value) -> Result<Vec<Row>> {
    let parameter: &dyn ToSql = match value {
        Value::Text(text) => text,
        Value::Bytes(bytes) => bytes,
        Value::Int(number) => number,
        Value::Null => &Option::<i32>::None,
    };
    rows(client.query(sql, &[parameter]).await?.into_first_result().await?)
}

fn rows(rows: Vec<tiberius::Row>) -> Result<Vec<Row>> {
    rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect()
}

fn value(data: ColumnData<'_>) -> Result<Value> {
    Ok(match data {
        ColumnData::I32(number) => number.map_or(Value::Null, Value::Int),
        ColumnData::String(text) => text.map_or(Value::Null, |text| Value::Text(text.into_owned())),
        ColumnData::Binary(bytes) => {
            bytes.map_or(Value::Null, |bytes| Value::Bytes(bytes.into_owned()))
        }
        other => bail!("a value of another type: {other:?}"),
    })
}
