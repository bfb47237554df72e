//! The number of confirmations after which a transaction is final.
//!
//! Deposits are credited, and payments paid, from one confirmation. Finality determines when a deposit is
//! refunded, and when a payout is no longer tracked.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_core::chain::CHAINS;

/// The finality of each network: its own number, unless the configuration overrides it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finality(BTreeMap<Network, u32>);

impl Finality {
    /// Overrides the number on some networks; 0 counts as 1.
    pub fn with(depths: impl IntoIterator<Item = (Network, u32)>) -> Self {
        Self(depths.into_iter().collect())
    }

    /// One block on every network, for chains that are mined by hand.
    pub fn one_block() -> Self {
        Self::with(CHAINS.iter().map(|row| (row.network, 1)))
    }

    /// This table with the overrides in `other`.
    #[must_use]
    pub fn but(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// At least 1.
    pub fn depth(&self, network: Network) -> u32 {
        self.0.get(&network).copied().unwrap_or(network.spec().finality.blocks).max(1)
    }

    /// How deep a reorganisation is followed, and a conflict has to be until it returns money: never less than the network's own number,
    /// also where the configuration has a lower one.
    pub fn followed(&self, network: Network) -> u32 {
        self.depth(network).max(network.spec().finality.blocks)
    }

    /// The number of missing blocks. `confirmations` as counted by
    /// [`Chain::confirmations`](crate::ports::Chain::confirmations).
    pub fn lacks(&self, network: Network, confirmations: u64) -> u64 {
        u64::from(self.depth(network)).saturating_sub(confirmations)
    }

    pub fn is_reached(&self, network: Network, confirmations: u64) -> bool {
        self.lacks(network, confirmations) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_has_a_depth() {
        let check = |network, confirmations, expected| {
            assert_eq!(Finality::default().is_reached(network, confirmations), expected, "{network}");
        };
        for row in CHAINS {
            let depth = u64::from(Finality::default().depth(row.network));
            check(row.network, depth, true);
            check(row.network, depth - 1, false);
        }
        check(Network::Btc, 5, false);
        check(Network::Btc, 6, true);
        for (confirmations, lacks) in [(0, 6), (5, 1), (6, 0), (7, 0)] {
            assert_eq!(Finality::default().lacks(Network::Btc, confirmations), lacks);
        }
    }

    #[test]
    fn a_configuration_overrides_single_networks() {
        let finality = Finality::with([(Network::Btc, 2), (Network::Ltc, 0)]);
        assert_eq!(
            [Network::Btc, Network::Ltc, Network::Bch].map(|network| finality.depth(network)),
            [2, 1, 11]
        );
        let raised = Finality::with([(Network::Btc, 12)]);
        assert_eq!([&finality, &raised].map(|finality| finality.followed(Network::Btc)), [6, 12]);
        assert!(!finality.is_reached(Network::Ltc, 0), "an unconfirmed transaction is not final");
        let one_block = Finality::one_block().but(Finality::with([(Network::Btc, 6)]));
        assert_eq!([Network::Btc, Network::Eth].map(|network| one_block.depth(network)), [6, 1]);
    }
}
