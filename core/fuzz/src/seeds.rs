//! Initial inputs: the published vectors.

use std::fs;
use std::path::Path;

use crypto_checkout_core::Network;
use serde_json::Value;

/// A line of `core/tests/vectors/addresses`, of `policy.jsonl` or of `pasted.jsonl`.
pub(crate) struct Vector {
    pub(crate) currency: String,
    pub(crate) network: String,
    pub(crate) address: String,
    pub(crate) tag: Option<String>,
    pub(crate) memo_type: Option<String>,
}

pub(crate) fn vectors() -> Vec<Vector> {
    let files =
        Network::ALL.iter().map(|network| format!("addresses/{}.jsonl", network.code().to_ascii_lowercase()));
    files.chain(["policy.jsonl", "pasted.jsonl"].map(str::to_owned)).flat_map(|file| read(&file)).collect()
}

fn read(file: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(file);
    let lines = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vector = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("a vector is JSON");
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let required = |name: &str| text(name).unwrap_or_else(|| panic!("{name}: {line}"));
        Vector {
            currency: required("currency"),
            network: required("network"),
            address: required("address"),
            tag: text("destinationTag"),
            memo_type: text("memoType"),
        }
    };
    lines.lines().map(vector).collect()
}

/// The addresses of one network, valid or not.
pub(crate) fn addresses(network: Network) -> Vec<String> {
    let of_network = vectors().into_iter().filter(|vector| vector.network == network.code());
    let mut addresses: Vec<String> = of_network.map(|vector| vector.address).collect();
    addresses.sort();
    addresses.dedup();
    addresses
}

/// `head`, followed by the text.
pub(crate) fn after(head: &[u8], text: &str) -> Vec<u8> {
    [head, text.as_bytes()].concat()
}
