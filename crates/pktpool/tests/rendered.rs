//! Error texts and the like, as people see them.

use pktpool::{Error, FrameError, Limits, PacketStream, tds::Tds};

#[test]
fn errors() {
    let all = [
        Error::BadHeader,
        Error::BadLength { length: 5 },
        Error::PacketTooLarge { length: 65_535 },
        Error::MessageTooLarge { length: 2520 },
        Error::UnexpectedEof { partial: 0 },
        Error::UnexpectedEof { partial: 10 },
        Error::Poisoned,
    ];
    let text: Vec<_> = all.iter().map(|e| format!("{e:?}: {e}")).collect();
    insta::assert_snapshot!(text.join("\n"));
    for (frame, error) in [
        (FrameError::BadHeader, all[0]),
        (FrameError::BadLength { length: 5 }, all[1]),
        (FrameError::PacketTooLarge { length: 65_535 }, all[2]),
    ] {
        assert_eq!(Error::from(frame), error);
        assert_eq!(frame.to_string(), error.to_string());
        let _: &dyn std::error::Error = &frame;
    }
}

#[test]
fn stream() {
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    stream.feed(&[4, 1, 0, 10, 0, 0, 1, 0, 1]).unwrap();
    insta::assert_snapshot!(format!("{stream:#?}"));
}
