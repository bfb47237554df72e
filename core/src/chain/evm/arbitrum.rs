//! Arbitrum One: a Nitro chain on Ethereum, with ether as its coin.

use super::super::facts::{Explorer, Fees, Finality};
use super::super::pairs::{coin, limits, token};
use super::super::spec::{ChainSpec, PaymentLink};
use super::{ETHEREUM, family_of};
use crate::currency::Currency;
use crate::network::Network;

pub(super) const SPEC: ChainSpec = ChainSpec {
    network: Network::Arbitrum,
    name: "Arbitrum One",
    pairs: &[
        coin(Currency::Eth, Network::Arbitrum, 18, limits("0.00003", "0.001", "500")).opt_in(),
        // Circle's own, <https://developers.circle.com/stablecoins/usdc-contract-addresses>; not the bridged USDC.e.
        token(
            Currency::Usdc,
            Network::Arbitrum,
            6,
            6,
            "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
            limits("0.1", "2", "500000"),
        )
        .opt_in(),
        // USDT0, which stands for USDT that is locked on Ethereum; Tether itself issues none here:
        // <https://docs.usdt0.to/technical-documentation/deployments>.
        token(
            Currency::Usdt,
            Network::Arbitrum,
            6,
            6,
            "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
            limits("0.1", "2", "500000"),
        )
        .wrapped_by("USDT0")
        .opt_in(),
    ],
    shared_accounts: &family_of(Network::Arbitrum),
    // Ethereum finalizes a batch within half an hour: <https://docs.arbitrum.io/how-arbitrum-works/reference/finality-and-reorgs>.
    // Four blocks a second.
    finality: Finality { blocks: 7_200, reason: "30 minutes, until Ethereum has finalized the batch" },
    block_seconds: 1,
    fees: Fees::Low,
    explorer: Explorer { transactions: "https://arbiscan.io/tx/", addresses: "https://arbiscan.io/address/" },
    sandbox_fee: "0.0000021",
    smallest_transfer: "0",
    // 10042221 is Trust Wallet's own number for this chain.
    // The node: <https://docs.arbitrum.io/node-running/node-providers>.
    link: PaymentLink::Erc681 {
        chain_id: "42161",
        trust: "c10042221",
        public_node: Some("https://arb1.arbitrum.io/rpc"),
    },
    ..ETHEREUM
};
