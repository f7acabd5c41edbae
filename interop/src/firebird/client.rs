//! A connection and its statements, as a driver would have them: rows come as the bytes of their
//! fields.

use super::raw::{CLOSE, DROP, Error, Handle, Library};
use super::row::Row;
use std::cell::Cell;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;

/// UTF8, by its number.
pub(super) const UTF8: i16 = 4;

pub(super) const USER: &str = "SYSDBA";
pub(super) const PASSWORD: &str = "masterkey";

/// One connection, always in a transaction.
#[derive(Debug)]
pub(super) struct Connection {
    library: Rc<Library>,
    database: Handle,
    transaction: Cell<Handle>,
}

impl Connection {
    /// Creates a database in UTF8.
    pub(super) fn create(library: &Library, server: SocketAddr, file: &Path) -> Result<(), Error> {
        let name = name(server, file);
        let sql = format!(
            "CREATE DATABASE '{name}' USER '{USER}' PASSWORD '{PASSWORD}' PAGE_SIZE 16384 \
             DEFAULT CHARACTER SET UTF8"
        );
        library.detach(library.immediate(0, 0, &sql)?)
    }

    /// Connects in a character set, encrypted on the wire or not.
    pub(super) fn open(
        library: &Rc<Library>,
        server: SocketAddr,
        file: &Path,
        charset: &str,
        encrypted: bool,
    ) -> Result<Self, Error> {
        let wire = if encrypted { "WireCrypt=Enabled" } else { "WireCrypt=Disabled" };
        // isc_dpb_version1, then isc_dpb_user_name, isc_dpb_password, isc_dpb_lc_ctype and
        // isc_dpb_config.
        let mut parameters = vec![1];
        for (tag, value) in [(28, USER), (29, PASSWORD), (48, charset), (87, wire)] {
            parameters.extend([tag, value.len() as u8]);
            parameters.extend(value.bytes());
        }
        let database = library.attach(&name(server, file), &parameters)?;
        let library = Rc::clone(library);
        let transaction = Cell::new(begin(&library, database)?);
        Ok(Self { library, database, transaction })
    }

    /// Runs a statement without parameters and results.
    pub(super) fn run(&self, sql: &str) -> Result<(), Error> {
        self.library.immediate(self.database, self.transaction.get(), sql).map(drop)
    }

    /// Makes what was done stay, and visible to what is prepared from now on.
    pub(super) fn commit(&self) -> Result<(), Error> {
        self.library.commit(self.transaction.get())?;
        self.transaction.set(begin(&self.library, self.database)?);
        Ok(())
    }

    /// A statement of at most four parameters and columns.
    pub(super) fn prepare(&self, sql: &str) -> Result<Statement<'_>, Error> {
        let (handle, output, input) =
            self.library.prepare(self.database, self.transaction.get(), sql)?;
        Ok(Statement { connection: self, handle, input, output })
    }

    /// The only row of a query without parameters.
    pub(super) fn row(&self, sql: &str) -> Result<Row, Error> {
        let mut statement = self.prepare(sql)?;
        statement.one()?;
        Ok(std::mem::replace(&mut statement.output, Row::new()))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.library.commit(self.transaction.get());
        let _ = self.library.detach(self.database);
    }
}

/// A prepared statement.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    connection: &'a Connection,
    handle: Handle,
    pub(super) input: Row,
    pub(super) output: Row,
}

impl Statement<'_> {
    /// Runs it; a query is then fetched from, and must be closed before it is run again.
    pub(super) fn execute(&mut self) -> Result<(), Error> {
        let transaction = self.connection.transaction.get();
        self.connection.library.execute(transaction, self.handle, &mut self.input)
    }

    /// The next row into `output`; false when there is none. Allocates nothing.
    pub(super) fn fetch(&mut self) -> Result<bool, Error> {
        self.connection.library.fetch(self.handle, &mut self.output)
    }

    /// Ends a query.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        self.connection.library.free(self.handle, CLOSE)
    }

    /// Runs a query that gives one row, into `output`.
    pub(super) fn one(&mut self) -> Result<(), Error> {
        let transaction = self.connection.transaction.get();
        let (input, output) = (&mut self.input, &mut self.output);
        self.connection.library.execute_for_one(transaction, self.handle, input, output)
    }
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        let _ = self.connection.library.free(self.handle, DROP);
    }
}

fn name(server: SocketAddr, file: &Path) -> String {
    format!("{}/{}:{}", server.ip(), server.port(), file.display())
}

/// Read committed, so that one transaction sees what another has committed.
fn begin(library: &Library, database: Handle) -> Result<Handle, Error> {
    // isc_tpb_version3, write, wait, read_committed, rec_version
    library.start(database, &[3, 9, 6, 15, 17])
}
