//! Messages written.

use crate::script::Script;
use crate::{block, once, wire};
use pktpool::tds::Packetizer;
use pktpool::tokio::MessageWriter;
use proptest::prelude::*;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    /// A message written in any pieces, each of them followed by a dropped future.
    #[test]
    fn messages_by_dropped_writes(
        length in 0_usize..9000,
        size in prop_oneof![9_usize..40, 500_usize..5000],
        takes in prop_oneof![0_usize..40, 500_usize..20_000],
        vectored: bool,
    ) {
        let message: Vec<u8> = (0..length).map(|i| (i * 7 + i / 251) as u8).collect();
        let mut output = Script { takes, vectored, ..Script::default() };
        let mut writer = MessageWriter::new(Packetizer::new(4, size).unwrap().packets(&message));
        while once(writer.write_to(&mut output)).map(|written| written.unwrap()).is_none() {}
        prop_assert!(output.written == wire(&message, size));
        // It is written once.
        block(writer.write_to(&mut output)).unwrap();
        prop_assert_eq!(output.written.len(), wire(&message, size).len());
    }
}

#[test]
fn an_output_that_takes_nothing() {
    struct Full;
    impl AsyncWrite for Full {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &[u8],
        ) -> Poll<io::Result<usize>> {
            Poll::Ready(Ok(0))
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }
    let mut writer = MessageWriter::new(Packetizer::new(4, 512).unwrap().packets(b"message"));
    let error = block(writer.write_to(&mut Full)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::WriteZero);
}
