//! A server of TDS 7.4 that answers a few questions: messages come in through [`PacketStream::parse`]
//! and go out through [`Packetizer`].

use super::question::{self, Question};
use super::request::{self, Call, Login};
use super::tokens;
use super::values::{self, Column, Value};
use anyhow::{Context as _, Result, bail, ensure};
use pktpool::tds::{PacketHeader, Packetizer, Tds};
use pktpool::{Limits, NeedMoreOr, PacketStream, ParseError, Progress, Reader};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Packet types.
const BATCH: u8 = 0x01;
const CALL: u8 = 0x03;
const RESULT: u8 = 0x04;
const ATTENTION: u8 = 0x06;
const LOGIN7: u8 = 0x10;
const PRELOGIN: u8 = 0x12;

/// The packet size until the login.
const FIRST: usize = 4096;
/// What a client that hangs is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Rows without end end here, when no attention comes.
const ENDLESS: Duration = Duration::from_secs(10);

/// How many bytes a dribbling server writes at a time.
const DRIBBLE: usize = 7;

/// What the clients did.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Every packet of every connection, as our stream reads them.
    pub(super) received: Vec<PacketHeader>,
    /// Every packet sent.
    pub(super) sent: Vec<PacketHeader>,
    /// The logins, with the packet size that was agreed on.
    pub(super) logins: Vec<(Login, usize)>,
    /// The attentions that stopped rows without end.
    pub(super) attentions: usize,
    /// Connections that broke off.
    pub(super) problems: Vec<String>,
}

#[derive(Debug, Default)]
struct Shared {
    seen: Mutex<Seen>,
    stopping: AtomicBool,
    /// To end those that are still open.
    sockets: Mutex<Vec<TcpStream>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The running server; ended when this is dropped.
#[derive(Debug)]
pub(super) struct Responder {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Responder {
    /// Listens on a free port of the loopback interface.
    pub(super) fn start() -> Result<Self> {
        // Bound before anyone can ask: no client meets somebody else's server.
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || accept(&listener, &for_thread));
        Ok(Self { address, shared, thread: Some(thread) })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it; what was seen.
    pub(super) fn stop(mut self) -> Result<Seen> {
        self.end()?;
        Ok(std::mem::take(&mut *lock(&self.shared.seen)))
    }

    fn end(&mut self) -> Result<()> {
        let Some(thread) = self.thread.take() else { return Ok(()) };
        self.shared.stopping.store(true, Ordering::SeqCst);
        // It waits for connections, so it gets one.
        drop(TcpStream::connect(self.address));
        for socket in lock(&self.shared.sockets).drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
        thread.join().ok().context("the TDS server panicked")
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut threads = Vec::new();
    for socket in listener.incoming() {
        if shared.stopping.load(Ordering::SeqCst) {
            break;
        }
        let outcome = socket.context("accept").and_then(|socket| {
            lock(&shared.sockets).push(socket.try_clone()?);
            Connection::new(socket, Arc::clone(shared))
        });
        match outcome {
            Ok(connection) => threads.push(thread::spawn(move || connection.run())),
            Err(error) => lock(&shared.seen).problems.push(format!("{error:#}")),
        }
    }
    for thread in threads {
        if thread.join().is_err() {
            lock(&shared.seen).problems.push("a connection's thread panicked".to_owned());
        }
    }
}

/// A client's message.
#[derive(Debug)]
enum Message {
    Prelogin,
    Login(Login),
    Batch(String),
    Call(Call),
    Attention,
}

struct Connection {
    socket: TcpStream,
    /// What the messages are read from.
    stream: PacketStream<Tds>,
    /// The same bytes, for the list of packets.
    packets: PacketStream<Tds>,
    packet_size: usize,
    dribble: bool,
    shared: Arc<Shared>,
}

impl Connection {
    fn new(socket: TcpStream, shared: Arc<Shared>) -> Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_write_timeout(Some(PATIENCE))?;
        let stream = || PacketStream::new(Tds::default(), Limits::default());
        let (stream, packets) = (stream(), stream());
        Ok(Self { socket, stream, packets, packet_size: FIRST, dribble: false, shared })
    }

    fn run(mut self) {
        if let Err(error) = self.serve() {
            lock(&self.shared.seen).problems.push(format!("{error:#}"));
        }
        // Another handle of it is kept, so dropping ours would leave the client waiting.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn serve(&mut self) -> Result<()> {
        while let Some(message) = self.receive()? {
            match message {
                Message::Prelogin => self.send(&tokens::prelogin())?,
                Message::Login(login) => self.login(login)?,
                Message::Batch(sql) => self.answer(&sql, None)?,
                Message::Call(Call { sql, parameters }) => self.answer(&sql, Some(parameters))?,
                // One that came too late: python-tds sends it for the end of a call unread.
                Message::Attention => self.send(&tokens::attention())?,
            }
        }
        Ok(())
    }

    /// The next message; `None` when the client has gone, which it may between messages only.
    fn receive(&mut self) -> Result<Option<Message>> {
        let Some(kind) = self.step(|r| Ok(r.kind()?))? else { return Ok(None) };
        let skip = |r: &mut Reader<'_>| Ok(r.next_message()?);
        Ok(match kind {
            PRELOGIN => self.step(skip)?.map(|()| Message::Prelogin),
            ATTENTION => self.step(skip)?.map(|()| Message::Attention),
            LOGIN7 => self.step(request::login)?.map(Message::Login),
            CALL => {
                self.step(request::headers)?;
                self.step(request::call)?.map(Message::Call)
            }
            BATCH => {
                self.step(request::headers)?;
                let mut units = Vec::new();
                // A step a packet: what was read is not read again.
                while let Some(piece) = self.step(request::piece)?.flatten() {
                    units.extend(piece);
                }
                Some(Message::Batch(values::from_utf16(&units).context("a batch of no text")?))
            }
            other => bail!("a message of type {other:#04x}"),
        })
    }

    /// Runs a step until it has what it needs; `None` when the client has gone before it came.
    fn step<T>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<T, NeedMoreOr<String>>,
    ) -> Result<Option<T>> {
        loop {
            match self.stream.parse(&mut step) {
                Ok(Progress::Done(value)) => return Ok(Some(value)),
                Ok(Progress::NeedMore) => {
                    if self.fill()? == 0 {
                        self.stream.end_of_input()?;
                        return Ok(None);
                    }
                }
                Err(ParseError::Stream(error)) => return Err(error.into()),
                Err(ParseError::Other(why)) => bail!(why),
            }
        }
    }

    /// One read.
    fn fill(&mut self) -> Result<usize> {
        let spare = self.stream.spare_mut();
        let n = match self.socket.read(spare) {
            Ok(n) => n,
            // Some clients end with a reset, and we end those that are left.
            Err(error) if error.kind() == ErrorKind::ConnectionReset => 0,
            Err(error) => return Err(error).context("reading"),
        };
        self.packets.feed(&spare[..n])?;
        self.stream.commit(n)?;
        while let Some(packet) = self.packets.next_packet()? {
            let header = packet.header().try_into().map(PacketHeader::from_bytes)?;
            lock(&self.shared.seen).received.push(header);
        }
        Ok(n)
    }

    /// Sends one message.
    fn send(&mut self, message: &[u8]) -> Result<()> {
        self.send_part(message, true, 0).map(drop)
    }

    /// Sends a message, or packets of one that goes on; the id of its last packet, given the one
    /// before it.
    fn send_part(&mut self, message: &[u8], is_end: bool, id: u8) -> Result<u8> {
        let mut wire = Vec::with_capacity(message.len() + message.len() / 32 + 8);
        let mut last = id;
        let packetizer = Packetizer::new(RESULT, self.packet_size)?;
        let mut sent = Vec::new();
        for (mut header, data) in packetizer.packets(message) {
            header.packet_id = header.packet_id.wrapping_add(id);
            if !is_end {
                header.status = 0;
            }
            last = header.packet_id;
            wire.extend(header.to_bytes());
            wire.extend_from_slice(data);
            sent.push(header);
        }
        lock(&self.shared.seen).sent.append(&mut sent);
        let size = if self.dribble { DRIBBLE } else { wire.len() };
        for piece in wire.chunks(size) {
            self.socket.write_all(piece).context("writing")?;
        }
        Ok(last)
    }

    /// The user's name says how the server is to write, and a number behind it which packet size the
    /// server insists on: not every client can ask for one.
    fn login(&mut self, login: Login) -> Result<()> {
        ensure!(login.version >= 0x7200_0000, "version {:#010x} has other tokens", login.version);
        let (pace, size) = login.user.split_once('-').unwrap_or((&login.user, ""));
        let asked = if size.is_empty() { login.packet_size } else { size.parse()? };
        let asked = if asked == 0 { FIRST } else { asked as usize };
        let dribble = match pace {
            "whole" => false,
            "dribble" => true,
            other => bail!("user {other}"),
        };
        let packet_size = asked.clamp(512, 32_767);
        let answer = tokens::login(&login.database, login.version.min(0x7400_0004), packet_size);
        lock(&self.shared.seen).logins.push((login, packet_size));
        // From here on it may write as it likes; the new size holds after this answer.
        self.dribble = dribble;
        self.send(&answer)?;
        self.packet_size = packet_size;
        Ok(())
    }

    fn answer(&mut self, sql: &str, parameters: Option<Vec<(Column, Value)>>) -> Result<()> {
        let call = parameters.is_some();
        let Some(question) = Question::read(sql) else {
            return self.send(&if call { tokens::end_of_call() } else { tokens::nothing() });
        };
        if question == Question::Endless {
            return self.endless();
        }
        let mut answer = question.answer();
        if question == Question::Parameters {
            let (columns, row) = parameters.unwrap_or_default().into_iter().unzip();
            (answer.columns, answer.rows) = (columns, vec![row]);
        }
        self.send(&tokens::answer(&answer, call))
    }

    /// Rows, a hundred at a time, until an attention is there. The message ends with the row, and the
    /// attention is answered in one of its own.
    fn endless(&mut self) -> Result<()> {
        let columns = Question::Endless.answer().columns;
        let mut message = Vec::new();
        tokens::metadata(&mut message, &columns);
        let (mut rows, mut id) = (0_i32, 0);
        let start = Instant::now();
        while start.elapsed() < ENDLESS {
            for _ in 0..100 {
                tokens::row(&mut message, &columns, &question::endless_row(rows), question::WHOLE);
                rows += 1;
            }
            // A packet that is not full in the middle of a message.
            id = self.send_part(&message, false, id)?;
            message.clear();
            if self.attention_is_there()? {
                self.send_part(&tokens::end(rows.unsigned_abs().into()), true, id)?;
                return self.send(&tokens::attention());
            }
        }
        self.send_part(&tokens::end(rows.unsigned_abs().into()), true, id).map(drop)
    }

    /// Takes an attention, if one has come; does not wait.
    fn attention_is_there(&mut self) -> Result<bool> {
        self.socket.set_nonblocking(true)?;
        let there = self.socket.peek(&mut [0]);
        self.socket.set_nonblocking(false)?;
        match there {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error).context("reading"),
        }
        match self.receive()?.context("the client has gone without stopping the rows")? {
            Message::Attention => lock(&self.shared.seen).attentions += 1,
            other => bail!("{other:?} in place of an attention"),
        }
        Ok(true)
    }
}
