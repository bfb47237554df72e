//! The ids of payment methods: `BTC-CHAIN` for a coin on the network of its name, `USDT-TRX` for another pair.

use checkout_core::pair::EVERY_PAIR;
use checkout_core::{Network, Pair};
use checkout_domain::business::Business;

const CHAIN: &str = "CHAIN";

pub fn id(pair: &Pair) -> String {
    let (currency, network) = (pair.currency.code(), pair.network.code());
    format!("{currency}-{}", if currency == network { CHAIN } else { network })
}

/// The pair of an id, also as `BTC` and with `_` as plugins write it.
pub fn pair(text: &str) -> Option<&'static Pair> {
    let text = text.replace('_', "-").to_ascii_uppercase();
    let text = if text.contains('-') { text } else { format!("{text}-{CHAIN}") };
    EVERY_PAIR.iter().find(|pair| pair.deposit && id(pair) == text)
}

/// What payers of a business can choose.
pub fn offered(business: &Business, serves: impl Fn(Network) -> bool) -> Vec<&'static Pair> {
    let pairs = EVERY_PAIR.iter().filter(|pair| pair.deposit && serves(pair.network));
    pairs.filter(|pair| business.accepts_on(pair.currency, pair.network)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_an_id_of_its_own() {
        for found in EVERY_PAIR.iter().filter(|pair| pair.deposit) {
            assert_eq!(pair(&id(found)), Some(found), "{}", id(found));
            assert_eq!(pair(&id(found).replace('-', "_")), Some(found));
        }
    }

    #[test]
    fn ids_as_plugins_write_them() {
        for (text, expected) in [
            ("BTC", Some("BTC-CHAIN")),
            ("BTC-CHAIN", Some("BTC-CHAIN")),
            ("btc_chain", Some("BTC-CHAIN")),
            ("USDT_TRX", Some("USDT-TRX")),
            ("BTC-LN", None),
            ("BTC-LightningNetwork", None),
            ("USDT", None),
            ("", None),
        ] {
            assert_eq!(pair(text).map(id).as_deref(), expected, "{text:?}");
        }
    }
}
