//! Where the page stands: what its address says, and the address that it shows instead.

/// The page's address in the pieces that the browser gives, and how the page is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `/checkout/{paymentId}`, perhaps below a prefix.
    pub path: String,
    /// With its `?`, or empty.
    pub query: String,
    /// With its `#`, or empty.
    pub fragment: String,
    /// The page stands in a frame of another page.
    pub framed: bool,
    /// The page came over https.
    pub secure: bool,
}

/// What opens one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// What stands before `/checkout/` in the path; the API stands below it too.
    pub base: String,
    pub payment_id: String,
    pub token: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
    #[default]
    Auto,
}

impl Theme {
    pub fn code(self) -> &'static str {
        match self {
            Self::Light => "LIGHT",
            Self::Dark => "DARK",
            Self::Auto => "AUTO",
        }
    }
}

const TOKEN: &str = "sessionToken";

impl Place {
    /// The payment and its token; `None` when the address does not carry both.
    pub fn session(&self) -> Option<Session> {
        let path = self.path.strip_suffix('/').unwrap_or(&self.path);
        let (rest, payment_id) = path.rsplit_once('/')?;
        let base = rest.strip_suffix("/checkout")?;
        let token = decode(self.raw_token()?)?;
        (is_id(payment_id) && is_token(&token)).then(|| Session {
            base: base.to_owned(),
            payment_id: payment_id.to_owned(),
            token,
        })
    }

    pub fn theme(&self) -> Theme {
        match value(&self.query, "theme") {
            Some("LIGHT") => Theme::Light,
            Some("DARK") => Theme::Dark,
            _ => Theme::Auto,
        }
    }

    pub fn locale(&self) -> Option<&str> {
        value(&self.query, "locale")
    }

    /// The same address with the token in the fragment, which no server and no `Referer` sees, and
    /// which a reload keeps. `None` when it stands there already.
    pub fn without_token(&self) -> Option<String> {
        value(&self.query, TOKEN)?;
        Some(self.address(&pairs(&self.query).filter(|(name, _)| *name != TOKEN).collect::<Vec<_>>()))
    }

    /// The same address with another locale.
    pub fn with_locale(&self, tag: &str) -> String {
        let mut query: Vec<_> =
            pairs(&self.query).filter(|(name, _)| *name != TOKEN && *name != "locale").collect();
        query.push(("locale", tag));
        self.address(&query)
    }

    fn address(&self, query: &[(&str, &str)]) -> String {
        let mut address = self.path.clone();
        for (i, (name, value)) in query.iter().enumerate() {
            address.push(if i == 0 { '?' } else { '&' });
            address.push_str(name);
            address.push('=');
            address.push_str(value);
        }
        if let Some(token) = self.raw_token() {
            address.push('#');
            address.push_str(TOKEN);
            address.push('=');
            address.push_str(token);
        }
        address
    }

    fn raw_token(&self) -> Option<&str> {
        value(&self.query, TOKEN).or_else(|| value(&self.fragment, TOKEN))
    }
}

/// `redirectUrl` when the page may lead there: over https, or over http from a page that came over
/// http itself.
pub fn safe_redirect(url: &str, secure: bool) -> Option<&str> {
    let rest = strip_scheme(url, "https://").or_else(|| strip_scheme(url, "http://").filter(|_| !secure))?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = url.bytes().all(|byte| byte > b' ' && byte != b'\\' && byte != 0x7f);
    (plain && !host.is_empty() && !host.contains('@')).then_some(url)
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

fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The `b64token` of RFC 6750, which is what an `Authorization: Bearer` header may carry.
fn is_token(text: &str) -> bool {
    (1..=512).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte))
}

/// Percent-decoding; `None` when an escape is broken or the result is not UTF-8.
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

    fn place(path: &str, query: &str, fragment: &str) -> Place {
        Place { path: path.into(), query: query.into(), fragment: fragment.into(), ..Place::default() }
    }

    #[track_caller]
    fn check_session(path: &str, query: &str, fragment: &str, expected: Option<(&str, &str, &str)>) {
        let session = place(path, query, fragment).session();
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
    fn the_token_leaves_the_query_and_nothing_else_does() {
        let check = |query, fragment, expected: Option<&str>| {
            assert_eq!(place("/checkout/p1", query, fragment).without_token().as_deref(), expected);
        };
        check(
            "?sessionToken=abc&theme=LIGHT&locale=en-US",
            "",
            Some("/checkout/p1?theme=LIGHT&locale=en-US#sessionToken=abc"),
        );
        check("?sessionToken=a%2Bb", "", Some("/checkout/p1#sessionToken=a%2Bb"));
        check("?sessionToken=new", "#sessionToken=old", Some("/checkout/p1#sessionToken=new"));
        check("?theme=LIGHT", "#sessionToken=abc", None);
        check("", "", None);
    }

    #[test]
    fn another_locale_keeps_the_token() {
        let place = place("/checkout/p1", "?theme=DARK&locale=de-DE", "#sessionToken=abc");
        assert_eq!(place.with_locale("fr-FR"), "/checkout/p1?theme=DARK&locale=fr-FR#sessionToken=abc");
    }

    #[test]
    fn themes_and_locales() {
        let check = |query, theme, locale| {
            let place = place("/checkout/p1", query, "");
            assert_eq!((place.theme(), place.locale()), (theme, locale), "{query}");
        };
        check("?theme=LIGHT&locale=de-DE", Theme::Light, Some("de-DE"));
        check("?theme=DARK", Theme::Dark, None);
        check("?theme=AUTO&locale=", Theme::Auto, None);
        check("?theme=<script>", Theme::Auto, None);
        check("", Theme::Auto, None);
    }

    #[test]
    fn the_way_out_leads_to_the_web_only() {
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
