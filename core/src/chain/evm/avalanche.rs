//! Avalanche's C-Chain, with addresses as on Ethereum. Only addresses are checked; `X-avax1…` and `P-avax1…` are other chains.

use super::super::pairs::{NO_LIMITS, coin, token};
use super::super::spec::{ADDRESS_ONLY, ChainSpec, PaymentLink};
use super::{BURNED, Checksum, EXAMPLE};
use crate::currency::Currency;
use crate::network::Network;

pub(super) const SPEC: ChainSpec = ChainSpec {
    network: Network::Avalanche,
    name: "Avalanche C-Chain",
    token_standard: Some("ERC-20"),
    pairs: &[
        coin(Currency::Avax, Network::Avalanche, 18, NO_LIMITS).address_only(),
        // <https://developers.circle.com/stablecoins/usdc-contract-addresses>
        token(Currency::Usdc, Network::Avalanche, 6, 6, "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", NO_LIMITS)
            .address_only(),
        // <https://tether.to/en/supported-protocols/>
        token(Currency::Usdt, Network::Avalanche, 6, 6, "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7", NO_LIMITS)
            .address_only(),
    ],
    example: EXAMPLE,
    checksum: Checksum::LetterCase,
    burned: BURNED,
    link: PaymentLink::Erc681 { chain_id: "43114", trust: "c10009000", public_node: None },
    ..ADDRESS_ONLY
};
