//! How a network says that a block stays.

checkout_domain::words! {
    /// Up to which block transfers are confirmed, besides their number of confirmations.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ConfirmedBy {
        /// The newest one.
        #[default]
        Latest = "latest",
        /// The block tag `safe`. On a rollup: its batch is on Ethereum.
        Safe = "safe",
        /// The block tag `finalized`.
        Finalized = "finalized",
    }
}
