//! Reads the vector files.

use std::fs;
use std::path::PathBuf;

use crypto_checkout_core::chain::ChainSpec;
use crypto_checkout_core::{Network, Options, Verdict, validate_with};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A line of `vectors/addresses/*.jsonl` and of `vectors/policy.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) currency: String,
    pub(crate) network: String,
    pub(crate) address: String,
    pub(crate) destination_tag: Option<String>,
    pub(crate) memo_type: Option<String>,
    pub(crate) valid: bool,
    pub(crate) kind: Option<String>,
    #[serde(rename = "test_network")]
    pub(crate) test_network: Option<String>,
    #[serde(default)]
    pub(crate) secret: bool,
    #[serde(rename = "x_classic")]
    pub(crate) x_classic: Option<String>,
    #[serde(rename = "x_tag")]
    pub(crate) x_tag: Option<u32>,
    #[serde(rename = "muxed_id")]
    pub(crate) muxed_id: Option<String>,
    pub(crate) policy: Option<String>,
    pub(crate) why: String,
    /// The source of the vector.
    #[allow(dead_code, reason = "for people")]
    pub(crate) source: String,
}

impl Case {
    pub(crate) fn network(&self) -> Network {
        self.network.parse().unwrap()
    }

    pub(crate) fn options(&self) -> Options {
        let memo_type = self.memo_type.as_deref().map(|code| code.parse().unwrap());
        Options { memo_type, ..Options::STRICT }
    }

    pub(crate) fn validate(&self) -> Verdict {
        let tag = self.destination_tag.as_deref();
        validate_with(&self.currency, &self.network, &self.address, tag, &self.options())
    }
}

/// The row of every network, also of those that no gateway serves.
pub(crate) fn rows() -> impl Iterator<Item = &'static ChainSpec> {
    Network::ALL.iter().map(|network| network.spec())
}

pub(crate) fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(file)
}

pub(crate) fn lines<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let text = fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")));
    rows.collect()
}

/// The address vectors of one network.
pub(crate) fn addresses(network: Network) -> Vec<Case> {
    let mut file = network.code().to_ascii_lowercase();
    file.insert_str(0, "addresses/");
    file.push_str(".jsonl");
    lines(&file)
}
