//! The cases under `data/`, on every tier.

#[path = "../each_tier/mod.rs"]
mod each_tier;

mod bytes;
mod column;
#[cfg(feature = "firebird")]
mod firebird;
mod origins;
mod text;
mod utf16;

use each_tier::each_tier as tiers;
use serde::de::DeserializeOwned;

fn read(file: &str) -> String {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn load<T: DeserializeOwned>(file: &str) -> T {
    toml::from_str(&read(file)).unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}
