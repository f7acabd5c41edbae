//! Error texts and the like, as people see them.

use pktpool::{Error, FrameError, Limits, PacketStream, ParseError, tds::Tds};

#[test]
fn errors() {
    let all = [
        Error::BadHeader,
        Error::BadLength { length: 5 },
        Error::PacketTooLarge { length: 65_535 },
        Error::MessageTooLarge { length: 2520 },
        Error::RetentionLimit,
        Error::UnexpectedEof { partial: 0 },
        Error::UnexpectedEof { partial: 10 },
        Error::EndOfMessage,
        Error::StepChanged,
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

/// What a caller prints of an error of a parse, whosesoever it is.
#[test]
fn errors_of_a_parse() {
    #[derive(Debug)]
    struct Outer(std::num::ParseIntError);
    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("no such token")
        }
    }
    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    let own = Outer("x".parse::<u8>().unwrap_err());
    let mut text = String::new();
    for error in [ParseError::Stream(Error::RetentionLimit), ParseError::Other(own)] {
        let mut next: Option<&dyn std::error::Error> = Some(&error);
        // Each text once, down to the root.
        while let Some(error) = next {
            text += &format!("{error}\n");
            next = error.source();
        }
        text += "--\n";
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_a_step_sees() {
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    stream.feed(&[4, 1, 0, 14, 0, 0, 1, 0, 1, 2, 3, 4]).unwrap();
    let mut text = String::new();
    let step = stream.read(|r| {
        text += &format!("{r:#?}\n");
        text += &format!("{:?}\n", r.u8()?);
        text += &format!("{:?}\n", r.take(2)?);
        text += &format!("{:?}\n", r.read_vec(1)?);
        text += &format!("{r:#?}\n");
        text += &format!("{:?}\n{:?}\n", r.u8(), r.take(3).map(drop));
        r.u8()
    });
    text += &format!("{step:?}\n{stream:#?}");
    insta::assert_snapshot!(text);
}

#[test]
fn stream() {
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    stream.feed(&[4, 1, 0, 10, 0, 0, 1, 0, 1]).unwrap();
    insta::assert_snapshot!(format!("{stream:#?}"));
}
