//! Base: a chain of the OP Stack on Ethereum, with ether as its coin.

use super::super::facts::{Explorer, Fees, Finality};
use super::super::pairs::{NO_LIMITS, coin, limits, token};
use super::super::spec::{ChainSpec, PaymentLink};
use super::{ETHEREUM, family_of};
use crate::currency::Currency;
use crate::network::Network;

pub(super) const SPEC: ChainSpec = ChainSpec {
    network: Network::Base,
    name: "Base",
    pairs: &[
        coin(Currency::Eth, Network::Base, 18, limits("0.00003", "0.001", "500")).opt_in(),
        // Circle's own, <https://developers.circle.com/stablecoins/usdc-contract-addresses>.
        token(
            Currency::Usdc,
            Network::Base,
            6,
            6,
            "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
            limits("0.1", "2", "500000"),
        )
        .opt_in(),
        // There is no USDT of Tether or of USDT0, only one of the bridge, which no gateway takes.
        token(Currency::Usdt, Network::Base, 6, 6, "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2", NO_LIMITS)
            .wrapped_by("the Base bridge")
            .address_only(),
    ],
    shared_accounts: &family_of(Network::Base),
    // Ethereum finalizes a batch 20 to 30 minutes after its blocks:
    // <https://docs.base.org/base-chain/network-information/transaction-finality>.
    finality: Finality { blocks: 900, reason: "30 minutes, until Ethereum has finalized the batch" },
    block_seconds: 2,
    fees: Fees::Low,
    explorer: Explorer {
        transactions: "https://basescan.org/tx/",
        addresses: "https://basescan.org/address/",
    },
    sandbox_fee: "0.0000021",
    smallest_transfer: "0",
    // <https://docs.base.org/docs/network-information/>
    link: PaymentLink::Erc681 {
        chain_id: "8453",
        trust: "c8453",
        public_node: Some("https://mainnet.base.org"),
    },
    ..ETHEREUM
};
