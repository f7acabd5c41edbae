//! Stands between clients and the server, and hands on what the framings of both ends took apart:
//! real programs at both ends will not go on with a byte too many or too few.

use super::connection::PATIENCE;
use super::steps::Digest;
use anyhow::{Context as _, Result, anyhow, bail};
use fastrand::Rng;
use pktpool::postgres::{Backend, Frontend};
use pktpool::{Framing, Limits, Packet, PacketStream};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The codes in packets without a kind that ask for encryption: `SSLRequest` and `GSSENCRequest`.
const ENCRYPTION: [u32; 2] = [80_877_103, 80_877_104];

/// What went over one connection.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) frontend: Direction,
    pub(super) backend: Direction,
}

/// What went one way.
#[derive(Debug)]
pub(super) struct Direction {
    pub(super) frames: Vec<Frame>,
    pub(super) bytes: u64,
    /// Bytes without a packet: the server's answers to requests for encryption.
    pub(super) bare: usize,
    /// Of the bytes as they were read, and of those that were handed on.
    pub(super) came: Digest,
    pub(super) went: Digest,
}

/// A packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) kind: u8,
    /// The first four bytes of its payload: what a packet without a kind is.
    pub(super) code: Option<u32>,
    /// Bytes of it all.
    pub(super) length: usize,
}

impl Frame {
    fn of(packet: &Packet<'_>) -> Self {
        let payload = packet.payload();
        Self {
            kind: packet.kind,
            code: payload.first_chunk().map(|&code| u32::from_be_bytes(code)),
            length: packet.header().len() + payload.len(),
        }
    }
}

/// Runs `client` with the address of a relay to `server` that reads up to `most` bytes at once;
/// what the client came to and what went over its connections, in their order.
pub(super) fn relay<T>(
    server: SocketAddr,
    most: usize,
    client: impl FnOnce(SocketAddr) -> Result<T>,
) -> Result<(T, Vec<Session>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    listener.set_nonblocking(true)?;
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let accepting = scope.spawn(|| -> Result<Vec<Session>> {
            let mut sessions = Vec::new();
            while let Some(client) = accept(&listener, &over)? {
                let server = TcpStream::connect(server)?;
                sessions.push(scope.spawn(move || session(&client, &server, most)));
            }
            sessions.into_iter().map(|session| joined(session.join())).collect()
        });
        let outcome = client(address);
        over.store(true, Ordering::Relaxed);
        match (joined(accepting.join()), outcome) {
            (Ok(sessions), Ok(outcome)) => Ok((outcome, sessions)),
            (Err(error), Err(clients)) => Err(error.context(format!("the client's: {clients:#}"))),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        }
    })
}

fn joined<T>(result: thread::Result<Result<T>>) -> Result<T> {
    result.map_err(|_| anyhow!("a thread of the relay panicked"))?.context("relay")
}

/// The next client, until it is over.
fn accept(listener: &TcpListener, over: &AtomicBool) -> Result<Option<TcpStream>> {
    loop {
        // Asked first: who came before it was over is still let in.
        let last = over.load(Ordering::Relaxed);
        match listener.accept() {
            Ok((client, _)) => {
                client.set_nonblocking(false)?;
                return Ok(Some(client));
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock && last => return Ok(None),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// One connection, to its end.
fn session(client: &TcpStream, server: &TcpStream, most: usize) -> Result<Session> {
    for socket in [client, server] {
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_nodelay(true)?;
    }
    // Requests for encryption that the server has not answered. The client waits for the answer.
    let asked = AtomicUsize::new(0);
    let ask = |frame: &Frame| {
        if frame.kind == 0 && frame.code.is_some_and(|code| ENCRYPTION.contains(&code)) {
            asked.fetch_add(1, Ordering::Relaxed);
        }
    };
    let answered =
        || asked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
    thread::scope(|scope| {
        let frontend = scope.spawn(|| carry((client, server), Frontend, most, || false, ask));
        let backend = carry((server, client), Backend, most, || answered().is_ok(), |_| ());
        let frontend = joined(frontend.join()).context("to the server")?;
        Ok(Session { frontend, backend: backend.context("to the client")? })
    })
}

/// Hands on what comes, packet by packet, until the end. `bare` says whether the next byte has no
/// packet; `told` hears of each packet before it goes on.
fn carry<F: Framing>(
    (from, to): (&TcpStream, &TcpStream),
    framing: F,
    most: usize,
    bare: impl Fn() -> bool,
    told: impl Fn(&Frame),
) -> Result<Direction> {
    let outcome = carry_on((from, to), framing, most, bare, told);
    // Both ends hear of the end, and nobody waits for what will not come.
    let how = if outcome.is_ok() { Shutdown::Write } else { Shutdown::Both };
    let _ = to.shutdown(how);
    if outcome.is_err() {
        let _ = from.shutdown(how);
    }
    outcome
}

fn carry_on<F: Framing>(
    (mut from, mut to): (&TcpStream, &TcpStream),
    framing: F,
    most: usize,
    bare: impl Fn() -> bool,
    told: impl Fn(&Frame),
) -> Result<Direction> {
    let mut stream = PacketStream::new(framing, Limits::default());
    let mut rng = Rng::with_seed(most as u64);
    let (mut came, mut went) = (Digest::new(), Digest::new());
    let mut direction = Direction { frames: vec![], bytes: 0, bare: 0, came, went };
    let mut out = Vec::new();
    loop {
        let spare = stream.spare_mut();
        let end = spare.len().min(rng.usize(1..=most));
        let mut n = from.read(&mut spare[..end])?;
        if n == 0 {
            break;
        }
        came.bytes(&spare[..n]);
        direction.bytes += n as u64;
        out.clear();
        if bare() {
            if spare[0] != b'N' {
                bail!("encryption is spoken: {}", spare[0]);
            }
            out.push(spare[0]);
            spare.copy_within(1..n, 0);
            n -= 1;
            direction.bare += 1;
        }
        stream.commit(n)?;
        while let Some(packet) = stream.next_packet()? {
            let frame = Frame::of(&packet);
            told(&frame);
            direction.frames.push(frame);
            out.extend_from_slice(packet.header());
            out.extend_from_slice(packet.payload());
        }
        went.bytes(&out);
        to.write_all(&out)?;
    }
    stream.end_of_input()?;
    Ok(Direction { came, went, ..direction })
}
