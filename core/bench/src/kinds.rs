//! The measured kinds of addresses, with the crates that check them and their floors.

use std::str::FromStr;

use checkout_oracles::random::Random;
use crypto_checkout_core::{Network, Options};

use crate::floor::{self, write};
use crate::measure::Runner;
use crate::sample;

/// One row.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) currency: &'static str,
    pub(crate) network: Network,
    /// The option that this kind needs.
    pub(crate) options: Options,
    pub(crate) make: fn(&mut Random) -> String,
    /// Crates that accept all addresses of this kind.
    pub(crate) peers: Vec<Runner>,
    /// The minimum cost of parsing.
    pub(crate) floor: Vec<Runner>,
    /// The minimum cost of a verdict: parsing, and the text of the normal form.
    pub(crate) verdict_floor: Vec<Runner>,
}

fn kind(name: &'static str, network: Network, make: fn(&mut Random) -> String) -> Kind {
    let currency = network.spec().pairs[0].currency.code();
    let (peers, floor, verdict_floor) = (Vec::new(), Vec::new(), Vec::new());
    Kind { name, currency, network, options: Options::STRICT, make, peers, floor, verdict_floor }
}

impl Kind {
    fn allowing(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    fn peer<T>(mut self, name: &'static str, ask: impl Fn(&str) -> Option<T> + 'static) -> Self {
        self.peers.push(Runner::new(name, ask));
        self
    }

    /// For a kind whose normal form is the text itself.
    fn floor<T: 'static>(
        mut self,
        name: &'static str,
        ask: impl Fn(&str) -> Option<T> + Copy + 'static,
    ) -> Self {
        self.floor.push(Runner::new(name, ask));
        self.verdict_floor.push(Runner::new(name, move |text| Some((ask(text)?, text.to_owned()))));
        self
    }

    /// For a kind whose normal form is another text.
    fn written(mut self) -> Self {
        self.verdict_floor.clear();
        self
    }

    fn verdict_floor<T>(mut self, name: &'static str, ask: impl Fn(&str) -> Option<T> + 'static) -> Self {
        self.verdict_floor.push(Runner::new(name, ask));
        self
    }

    fn base58(self) -> Self {
        self.floor("bs58 + SHA-256 twice", floor::base58).floor("base58ck + SHA-256 twice", floor::base58ck)
    }

    /// For addresses in one letter case: only the normal form needs the hash.
    fn evm_one_case(self) -> Self {
        self.peer("alloy-primitives FromStr", alloy)
            .floor("faster-hex", floor::faster_hex)
            .floor("const-hex", floor::const_hex)
            .written()
            .verdict_floor("faster-hex + Keccak", |text| {
                Some((floor::keccak(text, floor::sha3_keccak)?, text.to_owned()))
            })
    }

    fn evm_both_cases(self) -> Self {
        self.peer("alloy-primitives parse_checksummed", alloy_checksummed)
            .floor("faster-hex + Keccak", |text| floor::keccak(text, floor::sha3_keccak))
            .floor("faster-hex + tiny-keccak", |text| floor::keccak(text, floor::tiny_keccak))
    }
}

pub(crate) fn kinds() -> Vec<Kind> {
    use Network::{Bch, Bsc, Btc, Eth, Ltc, Trx, Xlm, Xrp};
    let strict = Options::STRICT;
    vec![
        kind("BTC P2PKH `1…`", Btc, sample::base58_hash::<0x00>).peer("bitcoin", bitcoin).base58(),
        kind("BTC P2SH `3…`", Btc, sample::base58_hash::<0x05>).peer("bitcoin", bitcoin).base58(),
        kind("BTC P2WPKH `bc1q…`", Btc, sample::bitcoin_segwit::<0, 20>)
            .peer("bitcoin", bitcoin)
            .peer("bech32", segwit)
            .floor("bech32", floor::bech32),
        kind("BTC P2WSH `bc1q…`", Btc, sample::bitcoin_segwit::<0, 32>)
            .peer("bitcoin", bitcoin)
            .peer("bech32", segwit)
            .floor("bech32", floor::bech32),
        kind("BTC taproot `bc1p…`", Btc, sample::bitcoin_segwit::<1, 32>)
            .peer("bitcoin", bitcoin)
            .peer("bech32", segwit)
            .floor("bech32", floor::bech32m),
        kind("LTC P2PKH `L…`", Ltc, sample::base58_hash::<0x30>).peer("litecoin", litecoin).base58(),
        kind("LTC P2SH `M…`", Ltc, sample::base58_hash::<0x32>).peer("litecoin", litecoin).base58(),
        kind("LTC P2WPKH `ltc1q…`", Ltc, sample::litecoin_segwit::<0, 20>)
            .peer("litecoin", litecoin)
            .peer("bech32", segwit)
            .floor("bech32", floor::bech32),
        kind("LTC taproot `ltc1p…`", Ltc, sample::litecoin_segwit::<1, 32>)
            .peer("litecoin", litecoin)
            .peer("bech32", segwit)
            .floor("bech32", floor::bech32m),
        kind("LTC MWEB `ltcmweb1…` (allowed)", Ltc, sample::mweb)
            .allowing(Options { allow_mweb: true, ..strict })
            .peer("litecoin", litecoin)
            .floor("bech32", floor::bech32),
        kind("BCH P2PKH `bitcoincash:q…`", Bch, sample::cash_address::<0, 20>)
            .peer("cashaddr", cash_address)
            .floor("bech32's engine", floor::cash_address),
        kind("BCH P2PKH `q…` without prefix", Bch, sample::bare_cash_address)
            .floor("bech32's engine", floor::cash_address),
        kind("BCH P2SH32 `bitcoincash:p…`", Bch, sample::cash_address::<1, 32>)
            .peer("cashaddr", cash_address)
            .floor("bech32's engine", floor::cash_address),
        kind("BCH `1…` (allowed)", Bch, sample::base58_hash::<0x00>)
            .allowing(Options { allow_legacy_bch: true, ..strict })
            .peer("bitcoin", bitcoin)
            .base58(),
        kind("ETH EIP-55", Eth, sample::evm_checksummed).evm_both_cases(),
        kind("ETH small letters", Eth, sample::evm_lower).evm_one_case(),
        kind("ETH capitals", Eth, sample::evm_upper).evm_one_case(),
        kind("BSC EIP-55", Bsc, sample::evm_checksummed).evm_both_cases(),
        kind("TRX `T…`", Trx, sample::base58_hash::<0x41>)
            .peer("bs58 with_check", |text| bs58::decode(text).with_check(Some(0x41)).into_vec().ok())
            .base58(),
        kind("TRX `41…` (allowed)", Trx, sample::tron_hex)
            .allowing(Options { allow_tron_hex: true, ..strict })
            .floor("faster-hex", floor::faster_hex)
            .written()
            .verdict_floor("faster-hex + bs58 + SHA-256 twice", |text| {
                write::base58(0x41, &floor::faster_hex(text)?, bs58::Alphabet::BITCOIN)
            }),
        kind("XRP `r…`", Xrp, sample::classic)
            .peer("xrpl-rust", |text| xrpl::core::addresscodec::decode_classic_address(text).ok())
            .peer("bs58 with_check", |text| {
                let decoder = bs58::decode(text).with_alphabet(bs58::Alphabet::RIPPLE);
                decoder.with_check(Some(0)).into_vec().ok()
            })
            .floor("bs58 + SHA-256 twice", floor::base58_ripple),
        kind("XRP `X…`", Xrp, sample::x_address)
            .peer("xrpl-rust", |text| xrpl::core::addresscodec::xaddress_to_classic_address(text).ok())
            .floor("bs58 + SHA-256 twice", floor::base58_ripple)
            .written()
            .verdict_floor("bs58 + SHA-256 twice, both ways", |text| {
                write::base58(0, &floor::base58_ripple(text)?, bs58::Alphabet::RIPPLE)
            }),
        kind("XLM `G…`", Xlm, sample::stellar_account)
            .peer("stellar-strkey", |text| stellar_strkey::ed25519::PublicKey::from_string(text).ok())
            .floor("data-encoding + CRC-16", floor::strkey),
        kind("XLM `M…`", Xlm, sample::stellar_muxed)
            .peer("stellar-strkey", |text| stellar_strkey::ed25519::MuxedAccount::from_string(text).ok())
            .floor("data-encoding + CRC-16", floor::strkey)
            .written()
            .verdict_floor("data-encoding + CRC-16, both ways", |text| {
                let bytes = floor::strkey(text)?;
                floor::crc(&bytes[..33]);
                write::strkey(&bytes)
            }),
        kind("XLM `C…` (allowed)", Xlm, sample::stellar_contract)
            .allowing(Options { allow_contracts: true, ..strict })
            .peer("stellar-strkey", |text| stellar_strkey::Contract::from_string(text).ok())
            .floor("data-encoding + CRC-16", floor::strkey),
    ]
}

fn bitcoin(text: &str) -> Option<bitcoin::Address> {
    bitcoin::Address::from_str(text).ok()?.require_network(bitcoin::Network::Bitcoin).ok()
}

fn litecoin(text: &str) -> Option<litecoin::Address> {
    litecoin::Address::from_str(text).ok()?.require_network(litecoin::Network::Bitcoin).ok()
}

fn segwit(text: &str) -> Option<(bech32::Hrp, bech32::Fe32, Vec<u8>)> {
    bech32::segwit::decode(text).ok()
}

fn cash_address(text: &str) -> Option<cashaddr::Payload> {
    text.parse().ok()
}

fn alloy(text: &str) -> Option<alloy_primitives::Address> {
    text.parse().ok()
}

fn alloy_checksummed(text: &str) -> Option<alloy_primitives::Address> {
    alloy_primitives::Address::parse_checksummed(text, None).ok()
}

#[cfg(test)]
mod tests {
    use crypto_checkout_core::chain::CHAINS;

    use super::kinds;

    #[test]
    fn every_network_is_measured_with_its_floor() {
        let kinds = kinds();
        // Those beyond the interface share the code of Ethereum, or of Bitcoin's base58 forms.
        for row in CHAINS.iter().filter(|row| !row.network.is_opt_in()) {
            assert!(kinds.iter().any(|kind| kind.network == row.network), "{}", row.code());
        }
        for kind in &kinds {
            assert!(!kind.floor.is_empty() && !kind.verdict_floor.is_empty(), "{}", kind.name);
        }
    }
}
