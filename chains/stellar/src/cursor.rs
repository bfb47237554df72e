//! The read position of an account.

use serde::{Deserialize, Serialize};

/// Everything up to this paging token has been read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    network: String,
    pub token: String,
    /// Entries after it that are set aside, and have no number to read on from.
    #[serde(default, skip_serializing_if = "is_none")]
    listed: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_none(listed: &usize) -> bool {
    *listed == 0
}

impl Cursor {
    pub fn new(network: &str, token: String) -> Self {
        Self { network: network.to_owned(), token, listed: 0 }
    }

    /// Everything in ledgers up to this one has been read.
    pub fn after_ledger(network: &str, ledger: u32) -> Self {
        Self::new(network, (((u64::from(ledger) + 1) << 32) - 1).to_string())
    }

    /// With this many entries set aside after it.
    #[must_use]
    pub fn with(self, listed: usize) -> Self {
        Self { listed, ..self }
    }

    /// With more entries set aside after it; `None` if they are no more.
    pub fn listing(self, listed: usize) -> Option<Self> {
        (listed > self.listed).then_some(self.with(listed))
    }

    pub fn read(text: &str, network: &str) -> Result<Self, String> {
        let cursor: Self = serde_json::from_str(text)
            .map_err(|error| format!("the stored cursor cannot be read: {error}"))?;
        if cursor.network == network {
            return Ok(cursor);
        }
        Err(format!("the database was used with '{}', and '{network}' is configured", cursor.network))
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON")
    }

    /// Returns the ledger of the token: its upper half ([SEP-35]).
    ///
    /// [SEP-35]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0035.md
    pub fn ledger(&self) -> Result<u32, String> {
        u32::try_from(self.number()? >> 32).map_err(|error| error.to_string())
    }

    pub fn number(&self) -> Result<u64, String> {
        self.token.parse().map_err(|_| format!("the paging token {} is no number", self.token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_cursor_reads_back() {
        let listed = Cursor::after_ledger("net", 7).listing(2).unwrap();
        assert_eq!(Cursor::read(&listed.to_text(), "net"), Ok(listed.clone()));
        assert_eq!(listed.listing(2), None);
        let cursor = Cursor::after_ledger("net", 7);
        assert_eq!(cursor.to_text(), r#"{"network":"net","token":"34359738367"}"#);
        assert_eq!((cursor.token.as_str(), cursor.ledger()), ("34359738367", Ok(7)));
        assert_eq!(Cursor::read(&cursor.to_text(), "net"), Ok(cursor.clone()));
        assert!(Cursor::read(&cursor.to_text(), "other").unwrap_err().contains("used with 'net'"));
        assert!(Cursor::read("7", "net").is_err());
        assert!(Cursor::new("net", "now".to_owned()).ledger().is_err());
    }
}
