//! OP Mainnet (Optimism): a chain of the OP Stack on Ethereum, with ether as its coin. Only addresses are checked.

use super::super::pairs::{NO_LIMITS, coin, token};
use super::super::spec::{ADDRESS_ONLY, ChainSpec, PaymentLink};
use super::{BURNED, Checksum, EXAMPLE};
use crate::currency::Currency;
use crate::network::Network;

pub(super) const SPEC: ChainSpec = ChainSpec {
    network: Network::Optimism,
    name: "OP Mainnet",
    token_standard: Some("ERC-20"),
    pairs: &[
        coin(Currency::Eth, Network::Optimism, 18, NO_LIMITS).address_only(),
        // <https://developers.circle.com/stablecoins/usdc-contract-addresses>
        token(Currency::Usdc, Network::Optimism, 6, 6, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", NO_LIMITS)
            .address_only(),
        // The bridge's: <https://github.com/ethereum-optimism/ethereum-optimism.github.io>.
        token(Currency::Usdt, Network::Optimism, 6, 6, "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58", NO_LIMITS)
            .wrapped_by("the Optimism bridge")
            .address_only(),
    ],
    example: EXAMPLE,
    checksum: Checksum::LetterCase,
    burned: BURNED,
    link: PaymentLink::Erc681 { chain_id: "10", trust: "c10000070", public_node: None },
    ..ADDRESS_ONLY
};
