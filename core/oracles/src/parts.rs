//! What an address contains.

/// The content of an address, which the core and its peers must recover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The code of the core's `Kind`.
    pub kind: String,
    pub payload: Vec<u8>,
    /// The embedded tag or id.
    pub tag: Option<u64>,
}

impl Parts {
    pub fn new(kind: &str, payload: &[u8]) -> Self {
        Self { kind: kind.to_owned(), payload: payload.to_owned(), tag: None }
    }
}

pub(crate) type Made = (String, Parts);
