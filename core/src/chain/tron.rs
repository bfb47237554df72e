//! TRON: an Ethereum account with version 0x41, in base58check ([developers.tron.network]).
//!
//! [developers.tron.network]: https://developers.tron.network/docs/account#account-address-format

use alloc::string::{String, ToString};
use core::fmt;

use super::facts::{Explorer, Fees, Finality, GasCoin, KeyPath, TransactionIdForm};
use super::pairs::{limits, token};
use super::public_key::PublicKey;
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink};
use crate::address::{Address, AddressError, Kind, Reason};
use crate::currency::Currency;
use crate::encoding::base58;
use crate::encoding::hex;
use crate::network::{Network, TagRule};

pub(super) enum Tron {}

impl Chain for Tron {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Trx,
        name: "TRON",
        token_standard: Some("TRC-20"),
        instant: false,
        replaceable: false,
        tag: TagRule::None,
        shared_accounts: &[Network::Trx],
        pairs: &[
            token(
                Currency::Usdc,
                Network::Trx,
                6,
                6,
                "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8",
                limits("1", "10", "500000"),
            ),
            token(
                Currency::Usdt,
                Network::Trx,
                6,
                6,
                "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
                limits("1", "10", "1000000"),
            ),
        ],
        gas_coin: Some(GasCoin {
            code: "TRX",
            sandbox_eur: "0.25",
            sane_millieur: (10, 10_000),
            coingecko: "tron",
            kraken: Some("TRXEUR"),
        }),
        key_path: KeyPath { purpose: 44, coin_type: 195, account: 0 },
        // A block is solidified when more than two thirds of the 27 super representatives, 19, built on it.
        finality: Finality { blocks: 19, reason: "19 of the 27 super representatives" },
        block_seconds: 3,
        fees: Fees::Varying,
        transaction_id: TransactionIdForm::Lower,
        explorer: Explorer {
            transactions: "https://tronscan.org/#/transaction/",
            addresses: "https://tronscan.org/#/address/",
        },
        test_networks: &[],
        example: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
        sandbox_account: None,
        sandbox_fee: "13.5",
        smallest_transfer: "0",
        checksum: Checksum::Always,
        burned: &[],
        link: PaymentLink::Tron { trust: "c195", chain_id: 0x2b66_53dc },
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        base58::write_check(&[VERSION], address.payload(), &base58::BITCOIN, f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        if text.starts_with('T') { text.to_string() } else { address.to_string() }
    }

    fn deposit(key: &PublicKey<'_>) -> Option<Address> {
        Some(account(&key.account()))
    }
}

const VERSION: u8 = 0x41;

/// Every address with this version has this length.
const LENGTH: usize = 34;

fn account(hash: &[u8; 20]) -> Address {
    Address::new(Network::Trx, Kind::Account, hash)
}

fn parse(text: &str) -> Result<Address, AddressError> {
    if text.starts_with('T') {
        if text.len() != LENGTH {
            return Err(Reason::BadLength.into());
        }
        let mut buffer = base58::Buffer::new();
        let payload = base58::decode_check(text, &base58::BITCOIN, &mut buffer)?;
        let (version, hash) = base58::versioned::<20>(payload).ok_or(Reason::BadLength)?;
        return if version == VERSION { Ok(account(hash)) } else { Err(Reason::BadVersion.into()) };
    }
    let digits = text.strip_prefix("0x").unwrap_or(text);
    if let Some([VERSION, hash @ ..]) = hex::decode_array::<21>(digits.as_bytes()) {
        return Err(AddressError::suggesting(Reason::HexForm, account(&hash)));
    }
    Err(Reason::Unrecognized.into())
}
