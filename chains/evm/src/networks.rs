//! The facts of each network that its row in the core lacks.

use checkout_core::Network;

use crate::confirmed_by::ConfirmedBy;

pub(crate) struct NetworkRow {
    pub(crate) network: Network,
    /// Maximum price of a unit of gas for a payout, unless the operator sets another.
    pub(crate) max_fee_gwei: u128,
    /// Maximum gas of a payout. A recipient that is a contract decides how much it takes.
    pub(crate) max_gas: u64,
    pub(crate) confirmed_by: ConfirmedBy,
    /// Whether data on Ethereum is paid besides gas: see [`l1_fee`](crate::l1_fee).
    pub(crate) has_l1_fee: bool,
    /// Whether contracts on Ethereum send messages to it, under an address that has no code here and that nobody has the key of:
    /// <https://docs.optimism.io/op-stack/bridging/messaging>, <https://docs.arbitrum.io/how-arbitrum-works/l1-to-l2-messaging>.
    pub(crate) is_rollup: bool,
}

const ETHEREUM: NetworkRow = NetworkRow {
    network: Network::Eth,
    max_fee_gwei: 300,
    // Twice what tokens and the wallets that are contracts take.
    max_gas: 300_000,
    confirmed_by: ConfirmedBy::Latest,
    has_l1_fee: false,
    is_rollup: false,
};

static NETWORKS: [NetworkRow; 5] = [
    ETHEREUM,
    NetworkRow { network: Network::Bsc, max_fee_gwei: 20, ..ETHEREUM },
    // A milestone of the validators makes a block `finalized` within seconds; before, blocks were replaced 100 deep:
    // <https://github.com/maticnetwork/Polygon-Improvement-Proposals/blob/main/PIPs/PIP-11.md>.
    NetworkRow {
        network: Network::Polygon,
        max_fee_gwei: 3_000,
        confirmed_by: ConfirmedBy::Finalized,
        ..ETHEREUM
    },
    // A newer block than the `safe` one has only the sequencer's word; the safe one's batch is on Ethereum:
    // <https://docs.base.org/base-chain/network-information/transaction-finality>.
    NetworkRow {
        network: Network::Base,
        max_fee_gwei: 10,
        confirmed_by: ConfirmedBy::Safe,
        has_l1_fee: true,
        is_rollup: true,
        ..ETHEREUM
    },
    // The same: <https://docs.arbitrum.io/how-arbitrum-works/reference/finality-and-reorgs>. Gas includes the data on Ethereum:
    // <https://docs.arbitrum.io/arbitrum-essentials>, "Estimate gas".
    NetworkRow {
        network: Network::Arbitrum,
        max_fee_gwei: 10,
        max_gas: 5_000_000,
        confirmed_by: ConfirmedBy::Safe,
        is_rollup: true,
        ..ETHEREUM
    },
];

pub(crate) fn row(network: Network) -> &'static NetworkRow {
    NETWORKS.iter().find(|row| row.network == network).unwrap_or(&ETHEREUM)
}

#[cfg(test)]
mod tests {
    use checkout_core::chain::CHAINS;

    use super::*;

    #[test]
    fn every_evm_network_has_its_row() {
        for chain in CHAINS.iter().filter(|chain| chain.chain_id().is_some()) {
            assert_eq!(row(chain.network).network, chain.network);
        }
    }
}
