//! The state of a network's source (a node or a similar service).

/// The last block of the source's best chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tip {
    pub height: u64,
    /// The hash of this block.
    pub hash: String,
    /// The block's time as a UNIX second; `None` if blocks have no time.
    pub time: Option<u64>,
}

/// The severity of a [`Check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Good,
    /// Payments work, with restrictions.
    Warning,
    /// The network cannot be used for payments.
    Fault,
}

/// The subject of a warning that the source answered nothing but that its rate limit is reached.
pub const RATE_LIMIT: &str = "rate limit";

/// One check and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Such as `connection`, `network`, `wallet`.
    pub subject: &'static str,
    pub level: Level,
    /// A sentence for the operator; for a fault, with the solution. It contains no password and no URL.
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

/// The outcome of calling methods, each with the reason if the server does not offer it.
pub fn methods(tried: Vec<(&'static str, Result<(), String>)>) -> Vec<Check> {
    let count = tried.len();
    let missing: Vec<Check> = tried
        .into_iter()
        .filter_map(|(name, outcome)| Some(Check::fault("method", format!("{name}: {}", outcome.err()?))))
        .collect();
    if missing.is_empty() { vec![Check::good("methods", format!("{count} answer"))] } else { missing }
}

/// Why the network cannot be used for payments, if so.
pub fn fault(checks: &[Check]) -> Option<&Check> {
    checks.iter().find(|check| check.level == Level::Fault)
}
