//! A directory whose files go nowhere: what a writer holds itself is then all that is counted.

use lucene_io::store::Directory;
use lucene_io::{DataOutput, Error, IndexOutput, ReadInput, WriteOutput};
use std::cell::Cell;
use std::io;
use std::rc::Rc;

/// Remembers length and checksum of what was written.
#[derive(Debug, Default)]
pub(crate) struct Nowhere(Rc<Cell<u64>>);

impl Nowhere {
    /// Of all files since the last call, in whatever order they were closed.
    pub(crate) fn seen(&self) -> u64 {
        self.0.take()
    }
}

#[derive(Debug)]
pub(crate) struct Output {
    out: WriteOutput<io::Sink>,
    seen: Rc<Cell<u64>>,
}

impl DataOutput for Output {
    #[inline]
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.out.write_byte(byte)
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_bytes(bytes)
    }
}

impl IndexOutput for Output {
    fn position(&self) -> u64 {
        self.out.position()
    }

    fn checksum(&mut self) -> u32 {
        self.out.checksum()
    }

    fn close(mut self) -> Result<(), Error> {
        let sum = self.position() << 32 | u64::from(self.checksum());
        self.seen.set(self.seen.get() ^ sum);
        self.out.close()
    }
}

impl Directory for Nowhere {
    type Input = ReadInput<io::Empty>;
    type Output = Output;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    fn file_length(&self, _: &str) -> Result<u64, Error> {
        Err(io::Error::from(io::ErrorKind::NotFound).into())
    }

    fn open_input(&self, _: &str) -> Result<Self::Input, Error> {
        Err(io::Error::from(io::ErrorKind::NotFound).into())
    }

    fn create_output(&self, _: &str) -> Result<Output, Error> {
        Ok(Output { out: WriteOutput::new(io::sink()), seen: Rc::clone(&self.0) })
    }

    fn delete_file(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }

    fn rename(&self, _: &str, _: &str) -> Result<(), Error> {
        Ok(())
    }

    fn sync(&self, _: &[&str]) -> Result<(), Error> {
        Ok(())
    }
}
