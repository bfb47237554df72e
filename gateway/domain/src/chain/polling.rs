//! How often networks are asked. The defaults fit the documented limits of public servers: see `docs/requests.md`.

use std::collections::BTreeMap;

use checkout_core::Network;

/// Seconds between two questions to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// While something is awaited: an amount was shown to a payer within the last hour, or a deposit waits for confirmations.
    pub awaited: u64,
    /// While nothing is. Also the longest wait after failures.
    pub idle: u64,
    /// Between two checks of a source without a fault.
    pub health: u64,
    /// Between two looks at a payout that is in a block.
    pub settled: u64,
}

/// An amount that was shown is awaited for this many seconds.
pub const AWAITED_FOR: u64 = 3600;

impl Pace {
    /// The usual one of a network.
    pub fn usual(network: Network) -> Self {
        let (awaited, idle, health, settled) = match network {
            Network::Eth => (12, 60, 600, 1200),
            Network::Trx => (6, 30, 60, 30),
            Network::Xrp => (4, 30, 60, 30),
            Network::Xlm => (5, 30, 60, 30),
            evm if evm.spec().chain_id().is_some() => (6, 30, 60, 60),
            // A node of one's own.
            _ => (1, 1, 60, 10),
        };
        Self { awaited, idle, health, settled }
    }

    /// The usual one of a server that is asked for each address alone (Esplora).
    pub fn by_address() -> Self {
        Self { awaited: 40, idle: 60, health: 300, settled: 60 }
    }

    /// `poll_seconds`: at all times, for a server without a limit. 0 is each second.
    pub fn every(seconds: u64) -> Self {
        let seconds = seconds.max(1);
        Self { awaited: seconds, idle: seconds, health: seconds.max(5), settled: seconds }
    }

    /// Seconds until the next attempt after so many in vain: twice as long each time.
    pub fn after(&self, failures: u32) -> u64 {
        self.awaited.saturating_mul(1 << failures.min(16)).min(self.idle.max(self.awaited))
    }
}

/// The pace of each network. One without is asked at each occasion, as the simulated ones are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polling(BTreeMap<Network, Pace>);

impl Polling {
    pub fn with(paces: impl IntoIterator<Item = (Network, Pace)>) -> Self {
        Self(paces.into_iter().collect())
    }

    pub fn pace(&self, network: Network) -> Option<Pace> {
        self.0.get(&network).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_wait_longer_up_to_the_idle_pace() {
        let check = |pace: Pace, expected: [u64; 5]| {
            assert_eq!([0, 1, 2, 3, 60].map(|failures| pace.after(failures)), expected, "{pace:?}");
        };
        check(Pace::usual(Network::Xrp), [4, 8, 16, 30, 30]);
        check(Pace::usual(Network::Eth), [12, 24, 48, 60, 60]);
        check(Pace::by_address(), [40, 60, 60, 60, 60]);
        check(Pace::every(0), [1, 1, 1, 1, 1]);
        check(Pace::every(7), [7, 7, 7, 7, 7]);
    }
}
