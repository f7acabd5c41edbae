//! Cases of SQL functions written in Rust. Every variant registers its own on the one connection and
//! reads what it gives by rusqlite's borrow, so that only the call differs.

use super::input::Script::{Ascii, Latin};
use super::{Table, each, peers, table};
use crate::registry::{CaseBuilder, Registry};
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Statement, ffi};
use sqlite_text::function::{self, Args, FunctionResult};

pub(super) fn register(registry: &mut Registry) {
    case(
        registry.case("sqlite-text/function/first-word-latin-256", || table("UTF-8", Latin, 256)),
        |text| first_word(text).to_owned(),
        |args| Ok(first_word(args.text(0)?).into()),
    );
    case(
        registry.case("sqlite-text/function/upper-ascii-4096", || table("UTF-8", Ascii, 4096)),
        str::to_ascii_uppercase,
        |args| Ok(args.text(0)?.to_ascii_uppercase().into()),
    );
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// The peer's closure cannot give back what it borrows from its argument.
fn case(
    case: CaseBuilder<'_, Table>,
    theirs: fn(&str) -> String,
    ours: for<'a> fn(Args<'a>) -> FunctionResult<'a>,
) {
    let select = |table: &'static Table, name: &str| -> Statement<'static> {
        table.db.prepare(&format!("SELECT {name}(s) FROM t")).expect("the function is there")
    };
    let flags = FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_UTF8;
    let of_rusqlite = move |table: &'static Table| {
        let call = move |context: &mut Context<'_>| {
            let text = context.get_raw(0).as_str();
            Ok(theirs(text.map_err(|error| rusqlite::Error::UserFunctionError(error.into()))?))
        };
        table.db.create_scalar_function("theirs", 1, flags, call).expect("a sound name");
        select(table, "theirs")
    };
    let case = case.stateful("rusqlite", of_rusqlite, |statement, _, sink| {
        each(statement, |row| sink.see(peers::rusqlite_borrowed(row, 0)));
    });
    let of_ours = move |table: &'static Table| {
        let flags = ffi::SQLITE_DETERMINISTIC;
        function::create_text_function(&table.db, "ours", 1, flags, ours).expect("a sound name");
        select(table, "ours")
    };
    case.stateful("after", of_ours, |statement, _, sink| {
        each(statement, |row| sink.see(peers::rusqlite_borrowed(row, 0)));
    });
}
