//! A connection to a server that knows three answers: to PRELOGIN, to LOGIN7 and to anything else.

use futures_util::io::{AsyncRead, AsyncWrite};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Both ends of a connection in one: what is written is only looked at for where a message ends, and then
/// its answer can be read, as much at a time as the reader has room for.
#[derive(Debug)]
pub(crate) struct Canned {
    prelogin: Vec<u8>,
    login: Vec<u8>,
    answer: &'static [u8],
    /// What of the current request's packet was written, its header first.
    packet: Vec<u8>,
    /// Which answer is being read, and from where.
    current: Answer,
    at: usize,
}

#[derive(Debug, Clone, Copy)]
enum Answer {
    None,
    Prelogin,
    Login,
    Query,
}

impl Canned {
    pub(crate) fn new(prelogin: Vec<u8>, login: Vec<u8>, answer: &'static [u8]) -> Self {
        Self { prelogin, login, answer, packet: Vec::new(), current: Answer::None, at: 0 }
    }

    fn take_in(&mut self, bytes: &[u8]) {
        self.packet.extend_from_slice(bytes);
        while let Some(&[kind, status, a, b]) = self.packet.first_chunk() {
            let length = usize::from(u16::from_be_bytes([a, b])).max(8);
            if self.packet.len() < length {
                return;
            }
            self.packet.drain(..length);
            if status & 1 == 1 {
                self.at = 0;
                self.current = match kind {
                    0x12 => Answer::Prelogin,
                    0x10 => Answer::Login,
                    _ => Answer::Query,
                };
            }
        }
    }
}

impl AsyncRead for Canned {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let answer: &[u8] = match this.current {
            Answer::None => &[],
            Answer::Prelogin => &this.prelogin,
            Answer::Login => &this.login,
            Answer::Query => this.answer,
        };
        let rest = answer.get(this.at..).unwrap_or_default();
        // Nothing left is the end of the stream: a client that reads on is told, and does not hang.
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        this.at += n;
        Poll::Ready(Ok(n))
    }
}

impl AsyncWrite for Canned {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().take_in(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
