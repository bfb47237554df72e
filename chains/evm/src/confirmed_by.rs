//! The block whose transfers are confirmed.

/// The newest block whose transfers are confirmed. Also needs the number of confirmations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfirmedBy {
    /// The newest one.
    #[default]
    Latest,
    /// The block tag `safe`. On a rollup: its batch is on Ethereum.
    Safe,
    /// The block tag `finalized`.
    Finalized,
}

impl ConfirmedBy {
    pub const WORDS: [(Self, &str); 3] =
        [(Self::Latest, "latest"), (Self::Safe, "safe"), (Self::Finalized, "finalized")];

    pub fn known(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(tag, _)| *tag)
    }

    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(known, _)| *known == self).map_or("", |(_, word)| word)
    }
}
