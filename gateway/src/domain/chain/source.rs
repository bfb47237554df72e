//! What the source of a network (a node, or an interface like one) says of itself.

/// The last block of the best chain that a source knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tip {
    pub height: u64,
    /// Of this block alone.
    pub hash: String,
    /// UNIX second that the block states; `None` where blocks state none.
    pub time: Option<u64>,
}

/// How serious a [`Check`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Good,
    /// Payments work, with less than they could have.
    Warning,
    /// No payments can be taken on this network.
    Fault,
}

/// One thing that was looked at, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Such as `connection`, `network`, `wallet`.
    pub subject: &'static str,
    pub level: Level,
    /// A sentence for the operator: of a fault, also what to do. It holds no password and no URL.
    pub detail: String,
}

impl Check {
    pub fn good(subject: &'static str, detail: impl Into<String>) -> Self {
        Self { subject, level: Level::Good, detail: detail.into() }
    }

    pub fn warning(subject: &'static str, detail: impl Into<String>) -> Self {
        Self { subject, level: Level::Warning, detail: detail.into() }
    }

    pub fn fault(subject: &'static str, detail: impl Into<String>) -> Self {
        Self { subject, level: Level::Fault, detail: detail.into() }
    }
}

/// Why no payment can be taken, when that is so.
pub fn fault(checks: &[Check]) -> Option<&Check> {
    checks.iter().find(|check| check.level == Level::Fault)
}
