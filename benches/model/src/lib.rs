//! What the measuring runner (`benches/`) and the judge (`xtask/`) share, and nothing else:
//! the definition of a case ([`case`], read from `benches/cases/*.toml`) and the lines that a
//! runner prints while it measures ([`wire`]).

#![forbid(unsafe_code)]

pub mod case;
pub mod wire;
