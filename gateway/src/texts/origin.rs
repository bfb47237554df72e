//! Web URLs set by merchants: origins and redirect targets.

use url::{Position, Url};

use super::check;

/// Why a web URL is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlFault {
    Unreadable,
    /// `https:` only; the sandbox also accepts `http:`.
    Scheme,
    TooLong,
    /// User names and passwords are not allowed.
    Credentials,
    /// An origin is a scheme, a host and a port only.
    NotAnOrigin,
    /// An origin is one host.
    Wildcard,
}

impl UrlFault {
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "bad_url",
            Self::Scheme => "bad_scheme",
            Self::TooLong => "too_long",
            Self::Credentials => "credentials_in_url",
            Self::NotAnOrigin => "not_an_origin",
            Self::Wildcard => "wildcard",
        }
    }

    pub fn detail(self) -> &'static str {
        match self {
            Self::Unreadable => "is not an absolute web address",
            Self::Scheme => "must start with https://",
            Self::TooLong => "is longer than 2048 characters",
            Self::Credentials => "must not carry a user name or a password",
            Self::NotAnOrigin => "must be a scheme, a host and a port only, such as https://shop.example",
            Self::Wildcard => "must name one host: list each of them, `*` is not supported",
        }
    }
}

/// Checks the redirect URL. The text is stored unchanged.
pub fn check_link(text: &str, allow_http: bool) -> Result<(), UrlFault> {
    parse(text, allow_http).map(drop)
}

/// Checks a link where payers get help: a web address, or a mailbox as in `mailto:help@shop.example?subject=…`.
pub fn check_support_link(text: &str, allow_http: bool) -> Result<(), UrlFault> {
    let Some(mailbox) = text.strip_prefix("mailto:") else { return check_link(text, allow_http) };
    let address = mailbox.split('?').next().unwrap_or_default();
    let is_plain = text.len() <= 2048 && text.bytes().all(|byte| byte.is_ascii_graphic());
    let is_named = address.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    if is_plain && is_named { Ok(()) } else { Err(UrlFault::Unreadable) }
}

/// The exact form of an origin, as sent by browsers.
pub fn read_origin(text: &str, allow_http: bool) -> Result<String, UrlFault> {
    let url = parse(text, allow_http)?;
    if !url[Position::BeforePath..].trim_start_matches('/').is_empty() {
        return Err(UrlFault::NotAnOrigin);
    }
    if url.host_str().is_some_and(|host| host.contains('*')) {
        return Err(UrlFault::Wildcard);
    }
    Ok(url.origin().ascii_serialization())
}

fn parse(text: &str, allow_http: bool) -> Result<Url, UrlFault> {
    if text.len() > 2048 {
        return Err(UrlFault::TooLong);
    }
    // The URL standard silently repairs malformed URLs; here they are errors.
    let tidy = text.bytes().all(|byte| byte > b' ' && byte != 0x7f && byte != b'\\');
    let has_host = text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with(['/', '?', '#']));
    if !tidy || !has_host || check(text).is_err() {
        return Err(UrlFault::Unreadable);
    }
    let url = Url::parse(text).map_err(|_| UrlFault::Unreadable)?;
    match url.scheme() {
        "https" => {}
        "http" if allow_http => {}
        _ => return Err(UrlFault::Scheme),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlFault::Credentials);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links() {
        let check = |text: &str, expected: Result<(), UrlFault>| {
            assert_eq!(check_link(text, false), expected, "{text:?}");
        };
        check("https://shop.example/thanks?order=7#top", Ok(()));
        check("http://shop.example/", Err(UrlFault::Scheme));
        check("javascript:alert(1)", Err(UrlFault::Unreadable));
        check("javascript://shop.example/%0aalert(1)", Err(UrlFault::Scheme));
        check("/thanks", Err(UrlFault::Unreadable));
        check("", Err(UrlFault::Unreadable));
        check(" https://shop.example", Err(UrlFault::Unreadable));
        check("https://", Err(UrlFault::Unreadable));
        check("https:///shop.example", Err(UrlFault::Unreadable));
        check("https:////shop.example", Err(UrlFault::Unreadable));
        check("https://?shop.example", Err(UrlFault::Unreadable));
        check("https://shop.example/\u{202e}gpj", Err(UrlFault::Unreadable));
        check("https:\\\\shop.example", Err(UrlFault::Unreadable));
        check("https://user:pw@shop.example/", Err(UrlFault::Credentials));
        check(&format!("https://shop.example/{}", "a".repeat(2048)), Err(UrlFault::TooLong));
        assert_eq!(check_link("http://127.0.0.1:3000/back", true), Ok(()));
    }

    #[test]
    fn origins() {
        let check = |text: &str, expected: Result<&str, UrlFault>| {
            assert_eq!(read_origin(text, true), expected.map(str::to_owned), "{text:?}");
        };
        check("https://shop.example", Ok("https://shop.example"));
        check("https://Shop.Example:443/", Ok("https://shop.example"));
        check("http://127.0.0.1:8081", Ok("http://127.0.0.1:8081"));
        check("https://shop.example/path", Err(UrlFault::NotAnOrigin));
        check("https://shop.example?x=1", Err(UrlFault::NotAnOrigin));
        check("*", Err(UrlFault::Unreadable));
        check("https://*", Err(UrlFault::Wildcard));
        check("https://*.shop.example", Err(UrlFault::Wildcard));
    }
}
