//! What pays for a payout.

/// Whose coins a payout sends that leaves now; the last one is the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cover {
    /// Of deposits that stay.
    Final,
    /// Of deposits that can still leave their chain.
    Pending,
    /// Those that others brought: the balance is below zero.
    Others,
}
