//! Aptos: [addresses](https://github.com/aptos-foundation/AIPs/blob/main/aips/aip-40.md) of 32 bytes. Only they are checked.

use alloc::string::{String, ToString};
use core::fmt;

use super::move_account;
use super::pairs::{NO_LIMITS, coin, token};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec, Checksum};
use crate::address::{Address, AddressError};
use crate::currency::Currency;
use crate::network::Network;

pub(super) enum Aptos {}

impl Chain for Aptos {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Apt,
        name: "Aptos",
        token_standard: Some("Fungible Asset"),
        pairs: &[
            coin(Currency::Apt, Network::Apt, 8, NO_LIMITS).address_only(),
            // <https://developers.circle.com/stablecoins/usdc-contract-addresses>
            token(Currency::Usdc, Network::Apt, 6, 6, "0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b", NO_LIMITS)
                .address_only(),
            // <https://tether.to/en/supported-protocols/>
            token(Currency::Usdt, Network::Apt, 6, 6, "0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b", NO_LIMITS)
                .address_only(),
        ],
        example: "0xca843279e3427144cead5e4d5999a3d0ca843279e3427144cead5e4d5999a3d0", // aptos-labs/aptos-ts-sdk, accountAddress.test.ts
        checksum: Checksum::Never,
        burned: move_account::OF_SYSTEM,
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        move_account::parse(Network::Apt, text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        move_account::write(address, f)
    }

    fn normal_form(address: &Address, _: &str) -> String {
        address.to_string()
    }
}
