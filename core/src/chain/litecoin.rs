//! Litecoin: Bitcoin's forms with different versions (`src/chainparams.cpp` of Litecoin Core).

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::bitcoin_family::{Family, Version, version};
use super::facts::{Explorer, Fees, Finality, KeyPath, TransactionIdForm};
use super::pairs::{coin, limits};
use super::public_key::PublicKey;
use super::spec::{Chain, ChainSpec, Checksum, LONGEST, PaymentLink, lower_case};
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::bech32::{self, Hrp, Variant};
use crate::network::{Network, TagRule};

pub(super) enum Litecoin {}

impl Chain for Litecoin {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Ltc,
        name: "Litecoin",
        token_standard: None,
        instant: true,
        replaceable: true,
        tag: TagRule::None,
        shared_accounts: &[Network::Ltc],
        pairs: &[coin(Currency::Ltc, Network::Ltc, 8, limits("0.0001", "0.02", "20000"))],
        gas_coin: None,
        key_path: KeyPath { purpose: 84, coin_type: 2, account: 0 },
        // Blocks every 2.5 minutes: 24 take as long as 6 of Bitcoin's.
        finality: Finality { blocks: 24, reason: "about an hour of work" },
        block_seconds: 150,
        fees: Fees::Low,
        transaction_id: TransactionIdForm::Lower,
        explorer: Explorer {
            transactions: "https://litecoinspace.org/tx/",
            addresses: "https://litecoinspace.org/address/",
        },
        test_networks: &[TestNetwork::Testnet, TestNetwork::Regtest],
        example: "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", // the program of BIP-173
        sandbox_account: None,
        sandbox_fee: "0.0000282",
        // `GetDustThreshold` and `DUST_RELAY_TX_FEE` of Litecoin Core (`src/policy/policy.cpp`), to an address of the kind that is given out.
        smallest_transfer: "0.0000294",
        checksum: Checksum::Always,
        burned: &[],
        link: PaymentLink::Bip321 { scheme: "litecoin", capitals: None },
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        for (hrp, test_network) in &MWEB {
            if let Some(data) = hrp.strip(text) {
                // Base58 letters may happen to spell this prefix too.
                return mweb(hrp, text, data, *test_network)
                    .or_else(|error| FAMILY.parse(text).map_err(|_| error));
            }
        }
        FAMILY.parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if address.kind() != Kind::Mweb {
            return FAMILY.write(address, f);
        }
        let row = MWEB.iter().find(|row| row.1 == address.test_network()).ok_or(fmt::Error)?;
        bech32::write(&row.0, Variant::Bech32, MWEB_VERSION, address.payload(), f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        match address.kind() {
            Kind::Mweb => lower_case(text),
            // The legacy versions of a script.
            Kind::P2sh if text.starts_with(['2', '3']) => address.to_string(),
            _ => Family::normal_form(address, text),
        }
    }

    fn locate(text: &str) -> Vec<usize> {
        FAMILY.locate(text)
    }

    fn deposit(key: &PublicKey<'_>) -> Option<Address> {
        Some(FAMILY.deposit(key))
    }
}

static FAMILY: Family = Family {
    network: Network::Ltc,
    hrps: &[
        (Hrp::new("ltc"), None),
        (Hrp::new("tltc"), Some(TestNetwork::Testnet)),
        (Hrp::new("rltc"), Some(TestNetwork::Regtest)),
    ],
    initials: b"LM3mnQ2",
    versions: &[
        version(0x30, Kind::P2pkh, None),
        version(0x32, Kind::P2sh, None),
        old(0x05, None),
        version(0x6f, Kind::P2pkh, Some(TestNetwork::Testnet)),
        version(0x3a, Kind::P2sh, Some(TestNetwork::Testnet)),
        old(0xc4, Some(TestNetwork::Testnet)),
    ],
};

/// The script version that Litecoin inherited from Bitcoin before it defined its own.
const fn old(byte: u8, test_network: Option<TestNetwork>) -> Version {
    Version { byte, kind: Kind::P2sh, test_network, refused: Some(Reason::LegacyPrefix) }
}

/// [MimbleWimble addresses] are bech32 texts of a scan and a spend key, longer than BIP-173 allows.
///
/// [MimbleWimble addresses]: https://github.com/litecoin-project/litecoin/blob/master/doc/mweb/stealth-addresses.md
static MWEB: [(Hrp, Option<TestNetwork>); 3] = [
    (Hrp::new("ltcmweb"), None),
    (Hrp::new("tmweb"), Some(TestNetwork::Testnet)),
    (Hrp::new("rmweb"), Some(TestNetwork::Regtest)),
];

const MWEB_VERSION: u8 = 0;

/// A compressed key of SEC 1: the sign of y, and x.
const KEY: usize = 33;

fn mweb(
    hrp: &Hrp,
    text: &str,
    data: &[u8],
    test_network: Option<TestNetwork>,
) -> Result<Address, AddressError> {
    let mut buffer = bech32::Buffer::new();
    let decoded = bech32::decode(hrp, text, data, LONGEST, &mut buffer)?;
    if decoded.variant != Variant::Bech32 {
        return Err(Reason::WrongBech32Variant.into());
    }
    if decoded.version != MWEB_VERSION {
        return Err(Reason::BadVersion.into());
    }
    let keys = decoded.program::<{ 2 * KEY }>()?;
    if keys.as_slice().len() != 2 * KEY {
        return Err(Reason::BadLength.into());
    }
    if !keys.as_slice().chunks(KEY).all(|key| matches!(key, [2 | 3, ..])) {
        return Err(Reason::UndefinedType.into());
    }
    let payload = Payload::new(keys.as_slice()).ok_or(Reason::BadLength)?;
    Ok(Address {
        network: Network::Ltc,
        test_network,
        kind: Kind::Mweb,
        version: MWEB_VERSION,
        payload,
        tag: None,
    })
}
