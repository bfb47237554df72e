//! Rate limits of each kind of caller.

use serde::Deserialize;

/// A token bucket: the steady rate, and the size of a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quota {
    pub per_minute: u32,
    pub burst: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    pub enabled: bool,
    pub trusted_proxies: usize,
    /// For each business token and organisation key.
    pub merchant: Quota,
    /// For each session token: reading. For each business: transactions that its payers look up.
    pub session: Quota,
    /// For each session token: all other requests. Each may allocate an address.
    pub session_changes: Quota,
    /// For each client address: requests without a token. For each session token: pages.
    pub client: Quota,
    /// For each client address: tokens that are not verified yet. Above it, a wrong one is refused with 429.
    pub refused: Quota,
    /// Maximum number of connections; default: half of the file handles.
    pub connections: Option<usize>,
    /// Maximum number of connections per client address; default: half of all.
    pub connections_per_client: Option<usize>,
}

impl RateLimits {
    /// The limits of a gateway without a `[limits]` table.
    pub fn standard(enabled: bool) -> Self {
        let quota = |per_minute, burst| Quota { per_minute, burst };
        Self {
            enabled,
            trusted_proxies: 0,
            merchant: quota(3_000, 300),
            session: quota(60, 20),
            session_changes: quota(10, 10),
            client: quota(300, 100),
            refused: quota(10, 20),
            connections: None,
            connections_per_client: None,
        }
    }
}
