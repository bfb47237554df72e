//! How a network says that a block stays.

/// Up to which block transfers are confirmed, besides their number of confirmations.
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
    const ALL: [Self; 3] = [Self::Latest, Self::Safe, Self::Finalized];

    pub fn known(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.word() == word)
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Latest => "latest",
            Self::Safe => "safe",
            Self::Finalized => "finalized",
        }
    }
}
