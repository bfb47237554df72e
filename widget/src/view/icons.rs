//! The drawings of `www/icons`, inside the page.

use super::node::{Element, el};

macro_rules! icons {
    ($($name:literal),+ $(,)?) => {
        fn drawing(name: &str) -> &'static str {
            match name {
                $($name => include_str!(concat!("../../../www/icons/", $name, ".svg")),)+
                _ => "",
            }
        }
    };
}

icons!(
    "btc",
    "eth",
    "usdt",
    "usdc",
    "ltc",
    "bch",
    "xrp",
    "xlm",
    "link",
    "net-btc",
    "net-eth",
    "net-bsc",
    "net-trx",
    "net-xrp",
    "net-xlm",
    "net-bch",
    "net-ltc",
    "copy",
    "check",
    "clock",
    "warning",
    "arrow-left",
    "arrow-right",
    "offline",
    "wallet",
    "spinner",
    "sandbox",
    "chevron-down",
);

/// A sign in the colour of the text around it.
pub(super) fn sign(name: &'static str) -> Element {
    el("span", if name == "spinner" { "sign turning" } else { "sign" }).markup(drawing(name))
}

/// The coin of a currency.
pub(super) fn coin(code: &str) -> Element {
    el("span", "coin").markup(drawing(&code.to_ascii_lowercase()))
}

/// The emblem of a network.
pub(super) fn network(code: &str) -> Element {
    el("span", "coin").markup(drawing(&["net-", &code.to_ascii_lowercase()].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::chain::CHAINS;
    use checkout_core::currency::CURRENCIES;

    #[test]
    fn every_currency_and_every_network_has_its_drawing() {
        let drawn = |element: Element| element.0.markup.is_some_and(|markup| markup.starts_with("<svg"));
        for row in CURRENCIES {
            assert!(drawn(coin(row.code)), "{}", row.code);
        }
        for row in CHAINS {
            assert!(drawn(network(row.code())), "{}", row.code());
        }
    }
}
