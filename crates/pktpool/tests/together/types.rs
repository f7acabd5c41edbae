//! What can be done with the types, whatever they hold.

use pktpool::mysql::MySql;
use pktpool::postgres::{Backend, Frontend};
use pktpool::smp::Smp;
use pktpool::tds::{PacketHeader, Packetizer, Tds};
use pktpool::{
    Chunks, Error, FrameError, FrameHead, Framing, FreeList, LengthDelimited, Limits, NeedMoreOr,
    Packet, PacketStream, ParseError, Progress, Reader, Snapshot, Stats, Stop, Value,
};
use std::fmt::{Debug, Display};

fn debug<T: Debug>() {}
fn framing<T: Framing + Debug + Send + Sync>() {}
fn send<T: Send>() {}
fn sync<T: Sync>() {}
fn copy<T: Copy + PartialEq>() {}
fn error<T: std::error::Error + Display + Send + Sync + 'static>() {}

#[test]
fn all_types_are_debug() {
    debug::<Chunks<'_>>();
    debug::<Error>();
    debug::<FrameError>();
    debug::<FrameHead>();
    debug::<FreeList<Vec<u8>>>();
    debug::<Limits>();
    debug::<NeedMoreOr<()>>();
    debug::<Packet<'_>>();
    debug::<PacketHeader>();
    debug::<PacketStream<Tds>>();
    debug::<Packetizer>();
    debug::<ParseError<()>>();
    debug::<Progress<()>>();
    debug::<Reader<'_>>();
    debug::<Snapshot<Vec<u8>>>();
    debug::<Stats>();
    debug::<Stop>();
    debug::<Value>();
    framing::<Tds>();
    framing::<Backend>();
    framing::<Frontend>();
    framing::<MySql>();
    framing::<Smp>();
    framing::<LengthDelimited>();
    // What is held need not be.
    struct Opaque;
    debug::<Snapshot<Opaque>>();
}

#[test]
fn streams_and_what_they_give_move_between_threads() {
    send::<PacketStream<Tds>>();
    send::<PacketStream<std::cell::Cell<u8>>>();
    send::<Snapshot<Vec<u8>>>();
    send::<FreeList<Vec<u8>>>();
    send::<Value>();
    send::<Packet<'_>>();
    // A lock around a stream that is only looked at can be one of readers.
    sync::<PacketStream<Tds>>();

    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    stream.feed(&[4, 1, 0, 12, 0, 0, 1, 0, b'r', b'o']).unwrap();
    assert!(stream.read(|r| r.read_vec(4)).unwrap().needs_more());
    let value = std::thread::spawn(move || {
        stream.feed(b"ws").unwrap();
        stream.read(|r| r.read_vec(4)).unwrap().done().unwrap()
    });
    assert_eq!(value.join().unwrap().into_vec(), b"rows");
}

#[test]
fn small_facts_are_copied_and_compared() {
    copy::<FrameError>();
    copy::<FrameHead>();
    copy::<PacketHeader>();
    copy::<Limits>();
    copy::<Error>();
    let head = FrameHead { header_len: 8, total_len: 9, end_of_message: true, kind: 4 };
    let same = head;
    assert_eq!(head, same);
    assert_ne!(head, FrameHead { kind: 5, ..head });
}

/// As slices are, on the left, and shown with their length and not byte by byte.
#[test]
fn values_are_compared_and_shown() {
    let value = |bytes: &[u8]| {
        let mut stream = PacketStream::new(LengthDelimited::default(), Limits::default());
        stream.feed(&(bytes.len() as u32).to_be_bytes()).unwrap();
        stream.feed(bytes).unwrap();
        stream.read(|r| r.read_vec(bytes.len())).unwrap().done().unwrap()
    };
    let rows = value(b"rows\n");
    assert_eq!(rows, *b"rows\n".as_slice());
    assert_eq!(rows, b"rows\n".as_slice());
    assert_eq!(rows, b"rows\n");
    assert_eq!(rows, b"rows\n".to_vec());
    assert_ne!(rows, b"rows".as_slice());
    assert_ne!(rows, b"rowsy");
    assert_ne!(rows, Vec::new());
    assert_eq!(rows.as_ref(), b"rows\n");
    assert_eq!(Value::default(), b"");
    assert_eq!(format!("{rows:?}"), r#"Value(5 bytes b"rows\n")"#);
    assert_eq!(format!("{:?}", Value::default()), r#"Value(0 bytes b"")"#);
    let large = format!("{:?}", value(&[b'x'; 1 << 20]));
    assert_eq!(large, format!(r#"Value(1048576 bytes b"{}"…)"#, "x".repeat(32)));
}

#[test]
fn errors_are_errors() {
    error::<Error>();
    error::<FrameError>();
    error::<ParseError<std::io::Error>>();
    let boxed: Box<dyn std::error::Error + Send + Sync> =
        ParseError::<std::io::Error>::from(Error::EndOfMessage).into();
    assert_eq!(boxed.to_string(), Error::EndOfMessage.to_string());
}

#[test]
fn stops_and_errors_become_what_a_step_fails_with() {
    fn of_a_read() -> Result<(), NeedMoreOr<String>> {
        Err(Stop::Failed(Error::EndOfMessage))?
    }
    fn of_a_wait() -> Result<(), NeedMoreOr<String>> {
        Err(Stop::NeedMore)?
    }
    assert!(matches!(of_a_read(), Err(NeedMoreOr::Failed(Error::EndOfMessage))));
    assert!(matches!(of_a_wait(), Err(NeedMoreOr::NeedMore)));
    assert!(matches!(
        ParseError::<()>::from(Error::BadHeader),
        ParseError::Stream(Error::BadHeader)
    ));
    assert_eq!(Error::from(FrameError::BadHeader), Error::BadHeader);
}

/// Also what cannot be sent: then the snapshot cannot, either.
#[test]
fn a_snapshot_holds_what_its_caller_wants() {
    let packet = std::rc::Rc::new(1);
    let mut snapshot = Snapshot::default();
    snapshot.append(packet.clone(), 1);
    assert_eq!(snapshot.get(0), Some(&packet));
    assert_eq!(
        format!("{snapshot:?}"),
        "Snapshot { len: 1, capacity: 4, current: None, captured: None }"
    );
    let list: FreeList<Vec<u8>> = FreeList::default();
    assert_eq!(format!("{list:?}"), "FreeList { len: 0, limit: 16 }");
}
