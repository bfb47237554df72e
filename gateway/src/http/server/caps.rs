//! Limits of connections, in total and per client address, and a reserve for health checks.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use checkout_domain::access::rate_limits::RateLimits;
use parking_lot::{Mutex, MutexGuard};

use crate::http::middleware::limit::network_of;

/// Upper bound: this many connections fit into the memory of a small machine and exceed any gateway's needs.
const MOST: usize = 10_000;

/// Connections above the limit that are answered: health checks normally, everything else with a refusal.
const RESERVE: usize = 16;

/// Assumed file handles if the system reports no limit.
const USUAL_HANDLES: usize = 1_024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    pub total: usize,
    pub per_client: usize,
}

impl Caps {
    /// Half of the file handles of the process: databases, callbacks and files need the rest. One client gets
    /// half of that, unless all clients come through a proxy.
    pub fn of(limits: &RateLimits) -> Self {
        let total = limits.connections.unwrap_or_else(|| (handles() / 2).min(MOST)).max(1);
        let per_client = match limits.connections_per_client {
            Some(cap) => cap.max(1),
            None if limits.trusted_proxies > 0 => total,
            None => (total / 2).max(1),
        };
        Self { total, per_client }
    }
}

/// The file handles of this process, after raising the limit as far as permitted.
#[cfg(unix)]
fn handles() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = (2 * MOST as u64).min(limit.maximum.unwrap_or(u64::MAX));
    let current = limit.current.unwrap_or(u64::MAX);
    let raised = current < wanted
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum }).is_ok();
    usize::try_from(if raised { wanted } else { current }).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn handles() -> usize {
    USUAL_HANDLES
}

impl Default for Caps {
    fn default() -> Self {
        Self { total: USUAL_HANDLES, per_client: USUAL_HANDLES }
    }
}

/// The open connections.
pub(super) struct Connections {
    caps: Caps,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    served: usize,
    reserve: usize,
    by_client: BTreeMap<IpAddr, usize>,
}

/// The slot of one connection, released when it ends.
pub(super) struct ConnectionSlot {
    connections: Arc<Connections>,
    client: IpAddr,
    pub(super) is_reserve: bool,
}

impl Connections {
    pub(super) fn new(caps: Caps) -> Arc<Self> {
        Arc::new(Self { caps, open: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock()
    }

    /// `None` if even the reserve is full: the connection is closed.
    pub(super) fn admit(self: &Arc<Self>, client: IpAddr) -> Option<ConnectionSlot> {
        let client = network_of(client);
        let mut open = self.lock();
        let of_client = open.by_client.get(&client).copied().unwrap_or(0);
        let is_reserve = open.served >= self.caps.total || of_client >= self.caps.per_client;
        if !is_reserve {
            open.served += 1;
            *open.by_client.entry(client).or_default() += 1;
        } else if open.reserve < RESERVE {
            open.reserve += 1;
        } else {
            return None;
        }
        drop(open);
        Some(ConnectionSlot { connections: Arc::clone(self), client, is_reserve })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        if self.is_reserve {
            open.reserve -= 1;
            return;
        }
        open.served -= 1;
        if let Some(count) = open.by_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.by_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots() {
        let connections = Connections::new(Caps { total: 3, per_client: 2 });
        let admit = |client: &str| connections.admit(client.parse().unwrap());
        let mut held: Vec<ConnectionSlot> = Vec::new();
        let mut check = |client: &str, expected: Option<bool>| {
            let slot = admit(client);
            assert_eq!(slot.as_ref().map(|slot| slot.is_reserve), expected, "{client}");
            held.extend(slot);
        };
        check("8.8.8.8", Some(false));
        check("8.8.8.8", Some(false));
        check("8.8.8.8", Some(true));
        check("1.1.1.1", Some(false));
        check("9.9.9.9", Some(true));
        for _ in 2..RESERVE {
            check("8.8.8.8", Some(true));
        }
        check("9.9.9.9", None);
        held.clear();
        assert_eq!(admit("8.8.8.8").map(|slot| slot.is_reserve), Some(false));
        let open = connections.lock();
        assert_eq!((open.served, open.reserve, open.by_client.len()), (0, 0, 0));
    }

    #[test]
    fn caps_follow_the_handles_and_the_proxies() {
        let limits = RateLimits::standard(true);
        let caps = Caps::of(&limits);
        assert!(caps.total >= 32 && caps.total <= MOST && caps.per_client == caps.total / 2, "{caps:?}");
        let caps = Caps::of(&RateLimits { trusted_proxies: 1, connections: Some(40), ..limits });
        assert_eq!(caps, Caps { total: 40, per_client: 40 });
        let caps = Caps::of(&RateLimits { connections: Some(40), connections_per_client: Some(3), ..limits });
        assert_eq!(caps, Caps { total: 40, per_client: 3 });
    }
}
