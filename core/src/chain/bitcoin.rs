//! Bitcoin.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::bitcoin_family::{Family, version};
use super::facts::{Explorer, Fees, Finality, KeyPath, TransactionIdForm};
use super::pairs::{coin, limits};
use super::public_key::PublicKey;
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink};
use crate::address::{Address, AddressError, Kind, TestNetwork};
use crate::currency::Currency;
use crate::encoding::bech32::Hrp;
use crate::network::{Network, TagRule};

pub(super) enum Bitcoin {}

impl Chain for Bitcoin {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Btc,
        name: "Bitcoin",
        token_standard: None,
        instant: true,
        // The default since Bitcoin Core 28.0, with and without the signal of BIP 125 (its release notes, #30493).
        replaceable: true,
        tag: TagRule::None,
        shared_accounts: &[Network::Btc],
        pairs: &[coin(Currency::Btc, Network::Btc, 8, limits("0.00003", "0.0005", "50"))],
        gas_coin: None,
        key_path: KeyPath { purpose: 84, coin_type: 0, account: 0 },
        // Nakamoto, "Bitcoin: A Peer-to-Peer Electronic Cash System", section 11: with a tenth of the work an attacker
        // catches up from 5 blocks behind with a chance below 0.1 %; the usual six are about an hour.
        finality: Finality { blocks: 6, reason: "about an hour of work" },
        block_seconds: 600,
        fees: Fees::Varying,
        transaction_id: TransactionIdForm::Lower,
        explorer: Explorer {
            transactions: "https://mempool.space/tx/",
            addresses: "https://mempool.space/address/",
        },
        test_networks: &[TestNetwork::Testnet, TestNetwork::Regtest],
        example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", // BIP-173
        sandbox_account: None,
        sandbox_fee: "0.0000141",
        // `GetDustThreshold` and `DUST_RELAY_TX_FEE` of Bitcoin Core (`src/policy/policy.cpp`), to an address of the kind that is given out.
        smallest_transfer: "0.00000294",
        checksum: Checksum::Always,
        burned: &[],
        link: PaymentLink::Bip321 { scheme: "bitcoin", capitals: Some("bc1") },
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        FAMILY.parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FAMILY.write(address, f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        Family::normal_form(address, text)
    }

    fn locate(text: &str) -> Vec<usize> {
        FAMILY.locate(text)
    }

    fn deposit(key: &PublicKey<'_>) -> Option<Address> {
        Some(FAMILY.deposit(key))
    }
}

static FAMILY: Family = Family {
    network: Network::Btc,
    hrps: &[
        (Hrp::new("bc"), None),
        (Hrp::new("tb"), Some(TestNetwork::Testnet)),
        (Hrp::new("bcrt"), Some(TestNetwork::Regtest)),
    ],
    initials: b"13mn2",
    versions: &[
        version(0x00, Kind::P2pkh, None),
        version(0x05, Kind::P2sh, None),
        version(0x6f, Kind::P2pkh, Some(TestNetwork::Testnet)),
        version(0xc4, Kind::P2sh, Some(TestNetwork::Testnet)),
    ],
};
