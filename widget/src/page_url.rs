//! The URL of the page: its contents, and the URL shown instead.

use checkout_core::Currency;
pub use checkout_wire::Theme;

use crate::screen::Notice;
use crate::words::fill;

/// The page's URL in the parts given by the browser, and how the page is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageUrl {
    /// `/checkout/{paymentId}`, optionally below a prefix; any other where the query names the payment.
    pub path: String,
    /// With its `?`, or empty.
    pub query: String,
    /// With its `#`, or empty.
    pub fragment: String,
    /// The page is in a frame of another page.
    pub framed: bool,
    /// The page was loaded over https.
    pub secure: bool,
    /// `https://host`
    pub origin: String,
    /// The browser can share a text with other apps.
    pub can_share: bool,
}

/// The access to one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The path before `/checkout/`; the API has the same prefix.
    pub base: String,
    pub payment_id: String,
    pub token: String,
}

const TOKEN: &str = "sessionToken";
/// The query parameter that names the payment on a page that is the same file for all payments.
const PAYMENT: &str = "paymentId";
/// The form field with the choice, for pages without script.
pub const FIELD: &str = "choose";
/// The query parameter in which a page without script stores the state of the choice.
pub const CURRENCY: &str = "currency";
/// The value of [`CURRENCY`] that shows the list again.
pub const ALL: &str = "all";
/// The query parameter with the reason why a choice was refused, on a page without scripts.
pub const NOTICE: &str = "notice";
/// The query parameter of a reusable payment that is paid again: how many deposits it had before.
const AGAIN: &str = "again";

/// The query parameter, and form field, of the money that the payer asks back.
pub const CLAIM: &str = "claim";

/// The query parameter of the form that looks for a transfer.
pub(crate) const LOOKUP: &str = "lookup";

/// The query parameter of the form that asks for a receipt by e-mail.
pub(crate) const RECEIPT: &str = "receipt";

/// The query of a page that is rehearsed with a simulated wallet, in a sandbox.
#[cfg(feature = "ssr")]
pub const REHEARSED_WALLET: (&str, &str) = ("wallet", "simulated");

/// The state of the choice on a page without script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Show the list although there is a quote.
    List,
    /// Show the networks of this currency.
    Currency(Currency),
}

impl PageUrl {
    /// The payment and its token; `None` unless the URL contains both.
    pub fn session(&self) -> Option<Session> {
        let path = self.path.strip_suffix('/').unwrap_or(&self.path);
        let of_path = || {
            let (rest, payment_id) = path.rsplit_once('/')?;
            Some((rest.strip_suffix("/checkout")?, payment_id))
        };
        let of_query = value(&self.query, PAYMENT).map(|payment_id| ("", payment_id));
        let (base, payment_id) = of_query.or_else(of_path)?;
        let token = decode(self.raw_token()?)?;
        let is_id = is_made_of(payment_id, 64, b"-");
        // The `b64token` of RFC 6750: the characters that an `Authorization: Bearer` header may contain.
        let is_token = is_made_of(&token, 512, b"-._~+/=");
        (is_id && is_token).then(|| Session {
            base: base.to_owned(),
            payment_id: payment_id.to_owned(),
            token,
        })
    }

    pub fn theme(&self) -> Theme {
        value(&self.query, "theme").and_then(Theme::known).unwrap_or(Theme::Auto)
    }

    pub fn locale(&self) -> Option<&str> {
        value(&self.query, "locale")
    }

    /// The same URL with the token in the query, which the server can read, so that it also renders a reload.
    /// `None` if the token is already there.
    pub fn with_token_in_query(&self) -> Option<String> {
        let token = value(&self.fragment, TOKEN).filter(|_| value(&self.query, TOKEN).is_none())?;
        Some(self.with(TOKEN, token))
    }

    /// The choice so far on a page without scripts.
    pub fn chosen(&self) -> Option<Chosen> {
        match value(&self.query, CURRENCY)? {
            ALL => Some(Chosen::List),
            code => code.parse().ok().map(Chosen::Currency),
        }
    }

    /// Why the last choice was refused, on a page without scripts.
    pub fn notice(&self) -> Option<Notice> {
        let code = value(&self.query, NOTICE)?;
        Notice::ALL.into_iter().find(|notice| notice.code() == code)
    }

    /// The form that asks for this money.
    pub fn with_claim(&self, id: &str) -> String {
        self.with(CLAIM, id)
    }

    /// The form with this query parameter.
    pub(crate) fn with_form(&self, name: &str) -> String {
        self.with(name, "1")
    }

    /// The page of the payment, from a form.
    #[cfg(feature = "ssr")]
    pub fn without_form(&self) -> String {
        let kept = pairs(&self.query).filter(|(name, _)| ![CLAIM, LOOKUP, RECEIPT].contains(name));
        let query: Vec<String> = kept.map(|(name, value)| [name, "=", value].concat()).collect();
        [&*self.path, "?", &query.join("&")].concat()
    }

    /// Where the form of a claim is sent.
    #[cfg(feature = "ssr")]
    pub fn claim_action(&self) -> String {
        [&*self.path, "/claim", &self.query].concat()
    }

    /// Where the form that looks for a transfer is sent.
    #[cfg(feature = "ssr")]
    pub fn lookup_action(&self) -> String {
        [&*self.path, "/lookup", &self.query].concat()
    }

    /// Where the form that asks for a receipt is sent.
    #[cfg(feature = "ssr")]
    pub fn receipt_action(&self) -> String {
        [&*self.path, "/receipt", &self.query].concat()
    }

    #[cfg(feature = "ssr")]
    pub(crate) fn rehearses_wallet(&self) -> bool {
        let (name, simulated) = REHEARSED_WALLET;
        value(&self.query, name) == Some(simulated)
    }

    /// How many deposits a reusable payment had when the payer wanted to pay again.
    pub fn again(&self) -> Option<usize> {
        value(&self.query, AGAIN)?.parse().ok()
    }

    /// The same URL for another payment to a reusable one.
    pub fn with_again(&self, deposits: usize) -> String {
        self.with(AGAIN, &deposits.to_string())
    }

    /// The same URL with another locale.
    pub fn with_locale(&self, tag: &str) -> String {
        self.with("locale", tag)
    }

    /// The same URL with another value in its query and without a fragment.
    fn with(&self, name: &str, new: &str) -> String {
        let others = pairs(&self.query).filter(|(other, _)| *other != name && *other != TOKEN);
        let token = self.raw_token().filter(|_| name != TOKEN).map(|token| (TOKEN, token));
        let mut address = self.path.clone();
        for (i, (name, value)) in token.into_iter().chain(others).chain([(name, new)]).enumerate() {
            address.push(if i == 0 { '?' } else { '&' });
            address.push_str(name);
            address.push('=');
            address.push_str(value);
        }
        address
    }

    fn raw_token(&self) -> Option<&str> {
        value(&self.query, TOKEN).or_else(|| value(&self.fragment, TOKEN))
    }
}

/// Returns `redirectUrl` if it is allowed: https, or http if the page itself was loaded over http.
pub fn safe_redirect(url: &str, secure: bool) -> Option<&str> {
    let rest = strip_scheme(url, "https://").or_else(|| strip_scheme(url, "http://").filter(|_| !secure))?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = url.bytes().all(|byte| byte > b' ' && byte != b'\\' && byte != 0x7f);
    (plain && !host.is_empty() && !host.contains('@')).then_some(url)
}

/// Returns the merchant's support link with the payment's reference for `{reference}`, if the link is
/// allowed.
pub fn support_link(template: &str, reference: &str, secure: bool) -> Option<String> {
    let mut escaped = String::with_capacity(reference.len());
    for byte in reference.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
            escaped.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    let link = fill(template, &[("reference", &escaped)]);
    let mail =
        strip_scheme(&link, "mailto:").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_graphic()));
    (mail || safe_redirect(&link, secure).is_some()).then_some(link)
}

fn strip_scheme<'a>(url: &'a str, scheme: &str) -> Option<&'a str> {
    let head = url.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then(|| url.get(scheme.len()..))?
}

fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let text = text.strip_prefix(['?', '#']).unwrap_or(text);
    text.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    pairs(text).find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value)
}

/// Whether a text has from 1 to `most` characters: letters, digits and `more`.
pub(crate) fn is_made_of(text: &str, most: usize, more: &[u8]) -> bool {
    (1..=most).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
}

/// Percent-decodes a text; returns `None` if an escape is malformed or the result is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' { hex(bytes.next()?)? * 16 + hex(bytes.next()?)? } else { byte });
    }
    String::from_utf8(decoded).ok()
}

fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_url(path: &str, query: &str, fragment: &str) -> PageUrl {
        PageUrl { path: path.into(), query: query.into(), fragment: fragment.into(), ..PageUrl::default() }
    }

    #[track_caller]
    fn check_session(path: &str, query: &str, fragment: &str, expected: Option<(&str, &str, &str)>) {
        let session = page_url(path, query, fragment).session();
        let session = session.as_ref().map(|s| (s.base.as_str(), s.payment_id.as_str(), s.token.as_str()));
        assert_eq!(session, expected, "{path} {query} {fragment}");
    }

    #[test]
    fn the_payment_and_the_token() {
        let id = "0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d";
        let path = format!("/checkout/{id}");
        check_session(&path, "?sessionToken=abc_-1", "", Some(("", id, "abc_-1")));
        check_session(&path, "", "#sessionToken=abc", Some(("", id, "abc")));
        check_session(&path, "?theme=DARK&sessionToken=new", "#sessionToken=old", Some(("", id, "new")));
        check_session(&format!("/pay{path}/"), "?sessionToken=a", "", Some(("/pay", id, "a")));
        check_session(&path, "?sessionToken=a%2Bb%3D", "", Some(("", id, "a+b=")));
        check_session(&path, "", "", None);
        check_session(&path, "?sessionToken=", "", None);
        check_session(&path, "?sessionToken=a%0d%0ab", "", None);
        check_session(&path, "?sessionToken=a%zz", "", None);
        check_session(&path, "?sessionToken=a%2", "", None);
        check_session(&path, "?sessionToken=ä", "", None);
        check_session(&path, "?xsessionToken=a", "", None);
        check_session("/checkout/", "?sessionToken=a", "", None);
        check_session("/checkout/../admin", "?sessionToken=a", "", None);
        check_session("/shop", "?sessionToken=a", "", None);
    }

    #[test]
    fn the_link_of_a_static_page_names_the_payment_in_its_query() {
        for path in ["/", "/pay/", "/pay/index.html", "/checkout/index.html"] {
            check_session(path, "?paymentId=p-1&sessionToken=abc", "", Some(("", "p-1", "abc")));
            check_session(path, "?paymentId=p-1", "#sessionToken=abc", Some(("", "p-1", "abc")));
            check_session(path, "?paymentId=..%2Fp&sessionToken=abc", "", None);
            check_session(path, "?paymentId=p-1", "", None);
        }
        let url = page_url("/pay/", "?paymentId=p-1&sessionToken=abc&theme=DARK", "");
        assert_eq!(url.with_locale("fr-FR"), "/pay/?sessionToken=abc&paymentId=p-1&theme=DARK&locale=fr-FR");
    }

    #[test]
    fn only_the_token_moves_into_the_query() {
        let check = |query, fragment, expected: Option<&str>| {
            assert_eq!(page_url("/checkout/p1", query, fragment).with_token_in_query().as_deref(), expected);
        };
        check(
            "?theme=LIGHT&locale=en-US",
            "#sessionToken=abc",
            Some("/checkout/p1?theme=LIGHT&locale=en-US&sessionToken=abc"),
        );
        check("", "#sessionToken=a%2Bb", Some("/checkout/p1?sessionToken=a%2Bb"));
        check("?sessionToken=new", "#sessionToken=old", None);
        check("?theme=LIGHT", "", None);
        check("", "", None);
    }

    #[test]
    fn another_locale_keeps_the_token() {
        let check = |query, fragment, expected| {
            assert_eq!(page_url("/checkout/p1", query, fragment).with_locale("fr-FR"), expected);
        };
        check(
            "?sessionToken=abc&theme=DARK&locale=de-DE",
            "",
            "/checkout/p1?sessionToken=abc&theme=DARK&locale=fr-FR",
        );
        check("?theme=DARK", "#sessionToken=abc", "/checkout/p1?sessionToken=abc&theme=DARK&locale=fr-FR");
    }

    #[test]
    fn the_state_of_a_choice_without_script() {
        let check = |query, chosen, notice| {
            let url = page_url("/checkout/p1", query, "");
            assert_eq!((url.chosen(), url.notice()), (chosen, notice), "{query}");
        };
        check("?currency=USDT", Some(Chosen::Currency(Currency::Usdt)), None);
        check("?currency=all&notice=no_rate", Some(Chosen::List), Some(Notice::NoRate));
        check("?currency=SHIB&notice=odd", None, None);
        check("", None, None);
    }

    #[test]
    fn themes_and_locales() {
        let check = |query, theme, locale| {
            let url = page_url("/checkout/p1", query, "");
            assert_eq!((url.theme(), url.locale()), (theme, locale), "{query}");
        };
        check("?theme=LIGHT&locale=de-DE", Theme::Light, Some("de-DE"));
        check("?theme=DARK", Theme::Dark, None);
        check("?theme=AUTO&locale=", Theme::Auto, None);
        check("?theme=<script>", Theme::Auto, None);
        check("", Theme::Auto, None);
    }

    #[test]
    fn the_support_link_has_the_payments_reference() {
        let check = |template, reference, expected: Option<&str>| {
            assert_eq!(support_link(template, reference, true).as_deref(), expected, "{template}");
        };
        check("https://shop.example/help", "order-1", Some("https://shop.example/help"));
        check(
            "https://shop.example/help?o={reference}",
            "A 1/é&x",
            Some("https://shop.example/help?o=A%201%2F%C3%A9%26x"),
        );
        check(
            "mailto:help@shop.example?subject={reference}",
            "a-1",
            Some("mailto:help@shop.example?subject=a-1"),
        );
        check("http://shop.example/help", "a", None);
        check("javascript:alert({reference})", "1", None);
        check("mailto:a@b.example?subject=x y", "1", None);
    }

    #[test]
    fn redirects_lead_only_to_the_web() {
        let check = |url, secure, allowed: bool| {
            assert_eq!(safe_redirect(url, secure).is_some(), allowed, "{url} {secure}");
        };
        check("https://shop.example/thanks?o=1#x", true, true);
        check("HTTPS://shop.example", true, true);
        check("https://shop.example", false, true);
        check("http://127.0.0.1:8081/thanks", false, true);
        check("http://shop.example", true, false);
        check("javascript:alert(1)", false, false);
        check("JavaScript:alert(1)//https://", false, false);
        check("data:text/html,x", false, false);
        check("//shop.example", false, false);
        check("/thanks", false, false);
        check("https:shop.example", false, false);
        check("https://", true, false);
        check("https:///path", true, false);
        check("https://shop.example@evil.example/", true, false);
        check("https://shop.example\\@evil.example/", true, false);
        check("https://shop.example/\n", true, false);
        check(" https://shop.example/", true, false);
        check("ftp://shop.example/", false, false);
    }
}
