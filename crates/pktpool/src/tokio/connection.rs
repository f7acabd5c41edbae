//! A packet stream with its input.

use super::{Error, ParseError};
use crate::stream::Taken;
use crate::{Framing, Limits, NeedMoreOr, Packet, PacketStream, Progress, Reader, Stop};
use ::tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use core::fmt;
use core::future::poll_fn;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::io::{self, IoSlice};

/// A [`PacketStream`] that fetches its own input: packets with [`next_packet`](Self::next_packet),
/// parsed values with [`read`](Self::read) and [`parse`](Self::parse).
///
/// Reads go straight into the stream's buffers. Writing is passed through: a `Connection` is
/// [`AsyncWrite`] when its input is. It is not [`AsyncRead`], as that would read past the stream.
///
/// # Cancel safety
/// Every future of this type may be dropped at any await, in a `select!` or by a timeout, and
/// nothing is lost: bytes that arrived stay in the stream, a value that was half read goes on where
/// it was, and the next call, the same or another, sees the input as if the dropped one had never
/// been, but for values that [`read_each`](Self::read_each) handed out.
///
/// ```
/// use pktpool::tokio::Connection;
/// use pktpool::{Limits, tds::Tds};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// # let server: &[u8] = &[4, 0, 0, 11, 0, 0, 1, 0, 5, b'h', b'e', 4, 1, 0, 11, 0, 0, 2, 0, b'l', b'l', b'o'];
/// let mut connection = Connection::new(server, Tds::default(), Limits::default());
/// // A counted text, which two packets share: the step runs again when more bytes are there.
/// let text = connection.read(|reader| {
///     let length = reader.u8()?;
///     reader.read_vec(length.into())
/// });
/// assert_eq!(&*text.await?.unwrap(), b"hello");
/// # Ok::<(), pktpool::tokio::Error>(())
/// # }).unwrap();
/// ```
pub struct Connection<T, F> {
    io: T,
    stream: PacketStream<F>,
    /// The input said that it ended.
    ended: bool,
}

impl<T, F: Framing> Connection<T, F> {
    /// Over an input that nothing was read from yet.
    pub fn new(io: T, framing: F, limits: Limits) -> Self {
        Self::from_parts(io, PacketStream::new(framing, limits))
    }
}

impl<T, F> Connection<T, F> {
    /// Over an input of which `stream` already got some.
    pub fn from_parts(io: T, stream: PacketStream<F>) -> Self {
        Self { io, stream, ended: false }
    }

    /// The input and the stream, with what it got and gave no packet of yet.
    pub fn into_parts(self) -> (T, PacketStream<F>) {
        (self.io, self.stream)
    }

    /// The input.
    pub fn get_ref(&self) -> &T {
        &self.io
    }

    /// The input. What is read from it here, the stream will not see.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.io
    }

    /// The stream.
    pub fn stream(&self) -> &PacketStream<F> {
        &self.stream
    }

    /// The stream, for packets and values that are there already, without waiting.
    pub fn stream_mut(&mut self) -> &mut PacketStream<F> {
        &mut self.stream
    }
}

impl<T: AsyncRead + Unpin, F: Framing> Connection<T, F> {
    /// The next packet, borrowed in place; `None` when the input ended between two messages.
    ///
    /// Cancel safe.
    ///
    /// # Errors
    /// Those of the input; those of [`PacketStream::next_packet`]; and
    /// [`UnexpectedEof`](crate::Error::UnexpectedEof) when the input ended inside a packet or a
    /// message, after the last complete packet.
    pub async fn next_packet(&mut self) -> Result<Option<Packet<'_>>, Error> {
        let taken = poll_fn(|cx| self.poll_take(cx)).await?;
        Ok(taken.map(|taken| self.stream.taken(taken)))
    }

    /// A value that `step` parses, as [`PacketStream::read`] runs it: again from its start whenever
    /// more bytes arrived, until it is done. `None` when the input ended behind a message that was
    /// read to its end, and nothing of another one came.
    ///
    /// Cancel safe: a value that was half read stays half read, as long as the next step begins with
    /// the same reads.
    ///
    /// # Errors
    /// Those of the input; those of [`PacketStream::read`]; and
    /// [`UnexpectedEof`](crate::Error::UnexpectedEof) when the input ended inside what the step
    /// reads.
    pub async fn read<V>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<V, Stop>,
    ) -> Result<Option<V>, Error> {
        loop {
            if let Progress::Done(value) = self.stream.read(&mut step)? {
                return Ok(Some(value));
            }
            // Not in one `poll_fn`: a wake-up without bytes does not run the step again.
            if !self.fill().await? {
                return self.ended_in_step();
            }
        }
    }

    /// The same for a step that has errors of its own, as [`PacketStream::parse`] runs it.
    ///
    /// Cancel safe, as [`read`](Self::read) is.
    ///
    /// ```
    /// # use pktpool::tokio::{Connection, ParseError};
    /// # use pktpool::{Limits, NeedMoreOr, Reader, tds::Tds};
    /// #[derive(Debug, PartialEq)]
    /// struct UnknownToken(u8);
    ///
    /// /// The row count of a DONE token.
    /// fn done(reader: &mut Reader<'_>) -> Result<u64, NeedMoreOr<UnknownToken>> {
    ///     match reader.u8()? {
    ///         0xFD => {
    ///             reader.skip(4)?;
    ///             Ok(reader.u64_le()?)
    ///         }
    ///         token => Err(NeedMoreOr::Other(UnknownToken(token))),
    ///     }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let server: &[u8] = &[4, 1, 0, 22, 0, 0, 1, 0, 0xFD, 16, 0, 193, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7];
    /// let mut connection = Connection::new(server, Tds::default(), Limits::default());
    /// assert_eq!(connection.parse(done).await?, Some(3));
    /// assert!(matches!(connection.parse(done).await, Err(ParseError::Other(UnknownToken(7)))));
    /// # Ok::<(), ParseError<UnknownToken>>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read), and the step's own, which poison the stream.
    pub async fn parse<V, E>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<V, NeedMoreOr<E>>,
    ) -> Result<Option<V>, ParseError<E>> {
        loop {
            if let Progress::Done(value) = self.stream.parse(&mut step)? {
                return Ok(Some(value));
            }
            if !self.fill().await? {
                return Ok(self.ended_in_step()?);
            }
        }
    }

    /// Steps, run by [`PacketStream::parse_each`] on what arrived and on what comes, until `each` breaks
    /// off: what with, or `None` where [`read`](Self::read) says so. `each` cannot await: it breaks off
    /// for that, and the call is made again.
    ///
    /// Cancel safe for the stream: values that `each` got are consumed. What was moved into `each` is
    /// dropped with the future, so let it borrow what it fills.
    ///
    /// ```
    /// # use core::ops::ControlFlow;
    /// # use pktpool::tokio::Connection;
    /// # use pktpool::{Limits, tds::Tds};
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let server: &[u8] = &[4, 1, 0, 15, 0, 0, 1, 0, 1, 0, 2, 0, 3, 0, 9];
    /// let mut connection = Connection::new(server, Tds::default(), Limits::default());
    /// let mut numbers = Vec::new();
    /// let each = |number| match number {
    ///     3 => ControlFlow::Break("three"),
    ///     _ => {
    ///         numbers.push(number);
    ///         ControlFlow::Continue(())
    ///     }
    /// };
    /// assert_eq!(connection.read_each(|r| r.u16_le(), each).await?, Some("three"));
    /// assert_eq!((numbers, connection.read(|r| r.u8()).await?), (vec![1, 2], Some(9)));
    /// # Ok::<(), pktpool::tokio::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_each<V, B>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<V, Stop>,
        mut each: impl FnMut(V) -> ControlFlow<B>,
    ) -> Result<Option<B>, Error> {
        loop {
            if let Progress::Done(with) = self.stream.read_each(&mut step, &mut each)? {
                return Ok(Some(with));
            }
            if !self.fill().await? {
                return self.ended_in_step();
            }
        }
    }

    /// [`read_each`](Self::read_each) for a step that has errors of its own.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub async fn parse_each<V, E, B>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<V, NeedMoreOr<E>>,
        mut each: impl FnMut(V) -> ControlFlow<B>,
    ) -> Result<Option<B>, ParseError<E>> {
        loop {
            if let Progress::Done(with) = self.stream.parse_each(&mut step, &mut each)? {
                return Ok(Some(with));
            }
            if !self.fill().await? {
                return Ok(self.ended_in_step()?);
            }
        }
    }

    /// Waits for more input and takes it in, once; false when the input ended. The other functions
    /// do this themselves.
    ///
    /// Cancel safe.
    ///
    /// # Errors
    /// Those of the input, and [`Poisoned`](crate::Error::Poisoned).
    pub async fn fill(&mut self) -> Result<bool, Error> {
        poll_fn(|cx| self.poll_fill(cx)).await
    }

    /// [`next_packet`](Self::next_packet) for futures written by hand.
    ///
    /// # Errors
    /// As there.
    pub fn poll_next_packet(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Packet<'_>>, Error>> {
        let taken = ready!(self.poll_take(cx))?;
        Poll::Ready(Ok(taken.map(|taken| self.stream.taken(taken))))
    }

    /// [`read`](Self::read) for futures written by hand. It runs the step at every poll.
    ///
    /// # Errors
    /// As there.
    pub fn poll_read_step<V>(
        &mut self,
        cx: &mut Context<'_>,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<V, Stop>,
    ) -> Poll<Result<Option<V>, Error>> {
        loop {
            if let Progress::Done(value) = self.stream.read(&mut step)? {
                return Poll::Ready(Ok(Some(value)));
            }
            if !ready!(self.poll_fill(cx))? {
                return Poll::Ready(self.ended_in_step());
            }
        }
    }

    /// [`parse`](Self::parse) for futures written by hand. It runs the step at every poll.
    ///
    /// # Errors
    /// As there.
    pub fn poll_parse<V, E>(
        &mut self,
        cx: &mut Context<'_>,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<V, NeedMoreOr<E>>,
    ) -> Poll<Result<Option<V>, ParseError<E>>> {
        loop {
            if let Progress::Done(value) = self.stream.parse(&mut step)? {
                return Poll::Ready(Ok(Some(value)));
            }
            if !ready!(self.poll_fill(cx))? {
                return Poll::Ready(Ok(self.ended_in_step()?));
            }
        }
    }

    /// [`fill`](Self::fill) for futures written by hand.
    ///
    /// # Errors
    /// As there.
    pub fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, Error>> {
        if !self.ended {
            let mut room = ReadBuf::new(self.stream.spare_mut());
            ready!(Pin::new(&mut self.io).poll_read(cx, &mut room))?;
            let n = room.filled().len();
            self.ended = n == 0;
            self.stream.commit(n)?;
        }
        Poll::Ready(Ok(!self.ended))
    }

    fn poll_take(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Taken>, Error>> {
        loop {
            if let Some(taken) = self.stream.take_packet()? {
                return Poll::Ready(Ok(Some(taken)));
            }
            if !ready!(self.poll_fill(cx))? {
                self.stream.end_of_input()?;
                return Poll::Ready(Ok(None));
            }
        }
    }

    /// The input ended, and the step needs more than it had.
    fn ended_in_step<V>(&mut self) -> Result<Option<V>, Error> {
        self.stream.end_of_input()?;
        if self.stream.is_at_rest() {
            Ok(None)
        } else {
            // All packets and messages are whole, and the step wants another one.
            Err(crate::Error::UnexpectedEof { partial: 0 }.into())
        }
    }
}

impl<T: fmt::Debug, F: Framing> fmt::Debug for Connection<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("io", &self.io)
            .field("stream", &self.stream)
            .field("ended", &self.ended)
            .finish()
    }
}

/// Passed through to the input, which is the output too.
impl<T: AsyncWrite + Unpin, F: Unpin> AsyncWrite for Connection<T, F> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
