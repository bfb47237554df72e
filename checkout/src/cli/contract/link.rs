//! The link of a payment, and the settings of the page that it opens.

use std::str::FromStr;

use checkout_core::{Pair, pair};
use checkout_wire::checkout_view::TestNetwork;
use serde::Deserialize;
use url::{Url, form_urlencoded};

/// `?paymentId=…&sessionToken=…` of any page, or `/checkout/{paymentId}?sessionToken=…` of a gateway.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) page: Url,
    pub(super) payment_id: String,
    pub(super) token: String,
}

impl FromStr for Link {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let page = Url::parse(text).map_err(|error| format!("it is no URL: {error}"))?;
        if !matches!(page.scheme(), "http" | "https") {
            return Err("it must begin with https:// or http://".to_owned());
        }
        let found = |query: &str, name: &str| {
            let mut values = form_urlencoded::parse(query.as_bytes());
            values
                .find(|(known, value)| known == name && !value.is_empty())
                .map(|(_, value)| value.into_owned())
        };
        let (query, fragment) = (page.query().unwrap_or_default(), page.fragment().unwrap_or_default());
        let token = found(query, "sessionToken").or_else(|| found(fragment, "sessionToken"));
        let token = token.ok_or("it has no sessionToken")?;
        let in_path = page.path().rsplit_once("/checkout/").map(|(_, id)| id.to_owned());
        let payment_id = found(query, "paymentId").or(in_path).ok_or("it has no paymentId")?;
        // A `+` of the link is one of the token.
        Ok(Self { payment_id, token: token.replace(' ', "+"), page })
    }
}

impl Link {
    /// The base address of the API, where neither settings nor an option say another.
    pub(super) fn api(&self) -> String {
        let own = self.page.path().rsplit_once("/checkout/").map_or("", |(before, _)| before);
        self.page.origin().ascii_serialization() + own
    }

    pub(super) fn settings_url(&self) -> Option<Url> {
        self.page.join("checkout.json").ok()
    }
}

/// `checkout.json`, as far as it says what the server answers.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Settings {
    pub(super) api: Option<String>,
    #[serde(default)]
    pub(super) pairs: Vec<String>,
    #[serde(default)]
    pub(super) test_networks: Vec<TestNetwork>,
}

/// `USDT.TRX`.
pub(super) fn pair(text: &str) -> Result<&'static Pair, String> {
    let found = text.split_once('.').and_then(|(currency, network)| pair::by_codes(currency, network));
    found.filter(|pair| pair.deposit).ok_or_else(|| "it is no pair, such as USDT.TRX".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links() {
        let check = |text: &str, expected: Option<(&str, &str, &str)>| {
            let link: Option<Link> = text.parse().ok();
            let read = link.map(|link| (link.payment_id.clone(), link.token.clone(), link.api()));
            let expected = expected.map(|(id, token, api)| (id.to_owned(), token.to_owned(), api.to_owned()));
            assert_eq!(read, expected, "{text}");
        };
        let shop = "https://shop.example";
        check("https://shop.example/pay/?paymentId=1&sessionToken=a", Some(("1", "a", shop)));
        check("https://shop.example/pay/?paymentId=1#sessionToken=a%2B%2F=", Some(("1", "a+/=", shop)));
        check("https://shop.example/?paymentId=1&sessionToken=a+b", Some(("1", "a+b", shop)));
        check("http://127.0.0.1:8080/checkout/1?sessionToken=a", Some(("1", "a", "http://127.0.0.1:8080")));
        check(
            "https://pay.example/shop/checkout/1?sessionToken=a",
            Some(("1", "a", "https://pay.example/shop")),
        );
        for wrong in [
            "",
            "1",
            "ftp://a/?paymentId=1&sessionToken=a",
            "https://a/?paymentId=1",
            "https://a/?sessionToken=a",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn pairs() {
        assert_eq!(pair("USDT.TRX").map(|pair| pair.network.code()), Ok("TRX"));
        for wrong in ["", "BTC", "BTC.ETH", "btc.btc", "NO.NO"] {
            assert!(pair(wrong).is_err(), "{wrong}");
        }
    }
}
