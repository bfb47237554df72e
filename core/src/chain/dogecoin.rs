//! Dogecoin: Bitcoin's base58 forms with versions of its own, and no segwit ([`src/chainparams.cpp`] of Dogecoin Core).
//!
//! [`src/chainparams.cpp`]: https://github.com/dogecoin/dogecoin/blob/master/src/chainparams.cpp

use alloc::string::{String, ToString};
use core::fmt;

use super::bitcoin_family::{Family, version};
use super::facts::{Explorer, Fees, Finality, KeyPath, TransactionIdForm};
use super::pairs::{coin, limits};
use super::public_key::PublicKey;
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink};
use crate::address::{Address, AddressError, Kind, TestNetwork};
use crate::currency::Currency;
use crate::network::{Network, TagRule};

pub(super) enum Dogecoin {}

impl Chain for Dogecoin {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Doge,
        name: "Dogecoin",
        token_standard: None,
        instant: true,
        // Of a transaction that signals it (BIP 125): `DEFAULT_ENABLE_REPLACEMENT` in `src/validation.h`.
        replaceable: true,
        tag: TagRule::None,
        shared_accounts: &[Network::Doge],
        // 226 bytes cost 0.00226 at the recommended 0.01 for 1,000, and outputs below 0.01 cost as much again; below 0.001 they are
        // not relayed (`RECOMMENDED_MIN_TX_FEE`, `DEFAULT_DUST_LIMIT`, `DEFAULT_HARD_DUST_LIMIT` in `src/policy/policy.h`).
        pairs: &[coin(Currency::Doge, Network::Doge, 8, limits("0.05", "10", "10000000")).opt_in()],
        gas_coin: None,
        key_path: KeyPath { purpose: 44, coin_type: 3, account: 0 },
        // Blocks every minute (`nPowTargetSpacing`), most of them mined together with Litecoin's: 60 take as long as 6 of Bitcoin's.
        finality: Finality { blocks: 60, reason: "about an hour of work" },
        block_seconds: 60,
        fees: Fees::Low,
        transaction_id: TransactionIdForm::Lower,
        explorer: Explorer {
            transactions: "https://blockchair.com/dogecoin/transaction/",
            addresses: "https://blockchair.com/dogecoin/address/",
        },
        test_networks: &[TestNetwork::Testnet, TestNetwork::Regtest],
        example: "DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE", // the key of BIP-173's example
        sandbox_account: None,
        sandbox_fee: "0.00226",
        // `DEFAULT_HARD_DUST_LIMIT`, see above.
        smallest_transfer: "0.001",
        checksum: Checksum::Always,
        burned: &[&DOGEPARTY],
        link: PaymentLink::Bip321 { scheme: "dogecoin", capitals: None },
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        FAMILY.parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FAMILY.write(address, f)
    }

    fn normal_form(_: &Address, text: &str) -> String {
        text.to_string()
    }

    fn deposit(key: &PublicKey<'_>) -> Option<Address> {
        Some(FAMILY.deposit(key))
    }
}

/// `DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr`, the proof of burn of Dogeparty.
const DOGEPARTY: [u8; 20] = [
    0x5f, 0x0d, 0x49, 0xfe, 0xb9, 0x84, 0x2f, 0x4e, 0xf9, 0x58, 0xd1, 0xa2, 0xf6, 0x9a, 0x77, 0x6c, 0xe1,
    0x7f, 0x28, 0x08,
];

static FAMILY: Family = Family {
    network: Network::Doge,
    hrps: &[],
    initials: b"D9Amn2",
    versions: &[
        version(0x1e, Kind::P2pkh, None),
        version(0x16, Kind::P2sh, None),
        version(0x71, Kind::P2pkh, Some(TestNetwork::Testnet)),
        version(0x6f, Kind::P2pkh, Some(TestNetwork::Regtest)),
        version(0xc4, Kind::P2sh, Some(TestNetwork::Testnet)),
    ],
};
