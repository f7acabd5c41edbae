//! Prints the report on the files named, after the version and the facts of the SQLite it is linked with.

use onecopy_sqlite_reader::{facts, report, version};

fn main() {
    println!("{}", version());
    facts().iter().for_each(|fact| println!("fact {fact}"));
    for file in std::env::args_os().skip(1) {
        report(file.as_ref()).iter().for_each(|line| println!("read {line}"));
    }
}
