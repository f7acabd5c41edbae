//! A socket that does what it is told.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What a socket does when it is polled.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    Gives(Vec<u8>),
    Waits,
    Fails(io::ErrorKind),
}

/// A socket that does these things in turn, and then ends.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) todo: VecDeque<Does>,
    pub(crate) written: Vec<u8>,
    /// Bytes that one write takes, each followed by a wait; 0: all of them.
    pub(crate) takes: usize,
    pub(crate) waited: bool,
    pub(crate) vectored: bool,
}

impl Script {
    pub(crate) fn new(todo: impl IntoIterator<Item = Does>) -> Self {
        Self { todo: todo.into_iter().collect(), ..Self::default() }
    }

    /// The bytes in reads of these sizes in turn, each after a wait.
    pub(crate) fn pieces(mut bytes: &[u8], sizes: &[usize]) -> Self {
        let mut todo = VecDeque::new();
        for size in sizes.iter().cycle() {
            if bytes.is_empty() {
                break;
            }
            let (piece, rest) = bytes.split_at((*size).clamp(1, bytes.len()));
            todo.extend([Does::Waits, Does::Gives(piece.to_vec())]);
            bytes = rest;
        }
        todo.push_back(Does::Waits);
        Self { todo, ..Self::default() }
    }
}

impl AsyncRead for Script {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        assert!(room.remaining() > 0);
        match self.todo.pop_front() {
            None => Poll::Ready(Ok(())),
            Some(Does::Waits) => Poll::Pending,
            Some(Does::Fails(kind)) => Poll::Ready(Err(kind.into())),
            Some(Does::Gives(mut bytes)) => {
                let rest = bytes.split_off(bytes.len().min(room.remaining()));
                room.put_slice(&bytes);
                if !rest.is_empty() {
                    self.todo.push_front(Does::Gives(rest));
                }
                Poll::Ready(Ok(()))
            }
        }
    }
}

impl AsyncWrite for Script {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        assert!(!bytes.is_empty());
        if self.takes == 0 {
            self.written.extend(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        self.waited = !self.waited;
        if self.waited {
            return Poll::Pending;
        }
        let n = self.takes.min(bytes.len());
        self.written.extend(&bytes[..n]);
        Poll::Ready(Ok(n))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        assert!(slices.iter().all(|slice| !slice.is_empty()));
        if self.vectored {
            let all: Vec<u8> = slices.iter().flat_map(|slice| slice.to_vec()).collect();
            self.poll_write(cx, &all)
        } else {
            self.poll_write(cx, &slices[0])
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.vectored
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
