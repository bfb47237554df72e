//! The machine on which the times were measured.

use std::fs;

/// One line with the processor, its cores, the compiler and the versions of the compared crates.
pub(crate) fn line() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let versions: Vec<String> = PEERS.iter().map(|name| format!("{name} {}", version(name))).collect();
    format!("{}, {cores} cores, {}; {}", processor(), env!("CHECKOUT_RUSTC"), versions.join(", "))
}

const PEERS: &[&str] = &[
    "alloy-primitives",
    "base58ck",
    "bech32",
    "bitcoin",
    "bs58",
    "cashaddr",
    "data-encoding",
    "faster-hex",
    "litecoin",
    "sha2",
    "sha3",
    "stellar-strkey",
    "xrpl-rust",
];

/// The version pinned in this crate's manifest.
fn version(name: &str) -> &'static str {
    let manifest = include_str!("../Cargo.toml");
    let line = manifest.lines().find(|line| line.split_once(" = ").is_some_and(|(key, _)| key == name));
    let pinned = line.and_then(|line| line.split_once("\"=")).and_then(|(_, rest)| rest.split_once('"'));
    pinned.map_or("?", |(version, _)| version)
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(std::env::consts::ARCH, |(_, model)| model).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{PEERS, version};

    #[test]
    fn every_peer_is_pinned() {
        for name in PEERS {
            assert!(version(name).starts_with(|c: char| c.is_ascii_digit()), "{name}");
        }
    }
}
