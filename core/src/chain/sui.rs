//! Sui: [addresses](https://docs.sui.io/concepts/cryptography/transaction-auth/keys-addresses) of 32 bytes. Only they are checked.

use alloc::string::{String, ToString};
use core::fmt;

use super::move_account;
use super::pairs::{NO_LIMITS, coin, token};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec, Checksum};
use crate::address::{Address, AddressError};
use crate::currency::Currency;
use crate::network::Network;

pub(super) enum Sui {}

impl Chain for Sui {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Sui,
        name: "Sui",
        token_standard: Some("Sui Coin"),
        pairs: &[
            coin(Currency::Sui, Network::Sui, 9, NO_LIMITS).address_only(),
            // The package of the type `0xdba3…::usdc::USDC`, <https://developers.circle.com/stablecoins/usdc-contract-addresses>.
            token(Currency::Usdc, Network::Sui, 6, 6, "0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7", NO_LIMITS)
                .address_only(),
        ],
        example: "0x259ff8074ab425cbb489f236e18e08f03f1a7856bdf7c7a2877bd64f738b5015", // trustwallet/wallet-core, sui_address.rs
        checksum: Checksum::Never,
        burned: move_account::OF_SYSTEM,
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        move_account::parse(Network::Sui, text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        move_account::write(address, f)
    }

    fn normal_form(address: &Address, _: &str) -> String {
        address.to_string()
    }
}
