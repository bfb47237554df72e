//! Polygon PoS, whose own coin POL pays for gas only.

use super::super::facts::{Explorer, Fees, Finality, GasCoin};
use super::super::pairs::{limits, token};
use super::super::spec::{ChainSpec, PaymentLink};
use super::{ETHEREUM, family_of};
use crate::currency::Currency;
use crate::network::Network;

pub(super) const SPEC: ChainSpec = ChainSpec {
    network: Network::Polygon,
    name: "Polygon",
    pairs: &[
        // Circle's own, <https://developers.circle.com/stablecoins/usdc-contract-addresses>; not the bridged USDC.e.
        token(
            Currency::Usdc,
            Network::Polygon,
            6,
            6,
            "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
            limits("0.05", "1", "500000"),
        )
        .opt_in(),
        // USDT0, which stands for USDT that is locked on Ethereum; Tether itself issues none here:
        // <https://docs.usdt0.to/technical-documentation/deployments>.
        token(
            Currency::Usdt,
            Network::Polygon,
            6,
            6,
            "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
            limits("0.05", "1", "500000"),
        )
        .wrapped_by("USDT0")
        .opt_in(),
    ],
    gas_coin: Some(GasCoin {
        code: "POL",
        sandbox_eur: "0.2",
        sane_millieur: (5, 20_000),
        coingecko: "polygon-ecosystem-token",
        kraken: Some("POLEUR"),
    }),
    shared_accounts: &family_of(Network::Polygon),
    // PIP-11: a milestone of the validators ends every reorganisation below it within seconds. Sprints have 16 blocks.
    finality: Finality { blocks: 64, reason: "four sprints of 16 blocks" },
    block_seconds: 2,
    fees: Fees::Low,
    explorer: Explorer {
        transactions: "https://polygonscan.com/tx/",
        addresses: "https://polygonscan.com/address/",
    },
    sandbox_fee: "0.0032",
    smallest_transfer: "0",
    link: PaymentLink::Erc681 { chain_id: "137", trust: "c966", public_node: None },
    ..ETHEREUM
};
