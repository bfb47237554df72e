//! Whether a person opens a page, by the headers of Fetch Metadata, which no page can forge. A browser sends them only to
//! secure origins and to this machine.

use axum::http::{HeaderMap, Method, header};

/// Set by browsers, and earlier versions of them, that fetch a page before anybody opens it.
const AHEAD: [&str; 4] = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/// A navigation that a person started with a click, a key or the address bar. Previews and scanners of links are not.
pub(in crate::http) fn is_by_person(method: &Method, headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|sent| sent == value);
    *method == Method::GET
        && is("sec-fetch-mode", "navigate")
        && is("sec-fetch-user", "?1")
        && !AHEAD.iter().any(|name| headers.contains_key(*name))
}

/// Whether a browser shows the answer to a person. Old clients of Java accept HTML, too: what has a token in its header is a program.
pub(in crate::http) fn is_for_a_person(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let mut types = accepted.flat_map(|line| line.split(',')).filter_map(|range| range.split(';').next());
    headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        || (!headers.contains_key(header::AUTHORIZATION)
            && types.any(|media_type| media_type.trim().eq_ignore_ascii_case("text/html")))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn persons_and_robots() {
        let check = |method: Method, headers: &[(&'static str, &'static str)], expected: bool| {
            let map = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
            assert_eq!(is_by_person(&method, &map.collect()), expected, "{method} {headers:?}");
        };
        let (mode, user) = (("sec-fetch-mode", "navigate"), ("sec-fetch-user", "?1"));
        check(Method::GET, &[mode, user], true);
        check(Method::GET, &[mode, user, ("sec-fetch-dest", "iframe")], true);
        check(Method::HEAD, &[mode, user], false);
        check(Method::GET, &[], false);
        check(Method::GET, &[mode], false);
        check(Method::GET, &[user], false);
        check(Method::GET, &[mode, ("sec-fetch-user", "?0")], false);
        check(Method::GET, &[("sec-fetch-mode", "no-cors"), user], false);
        for ahead in [
            ("sec-purpose", "prefetch"),
            ("sec-purpose", "prefetch;prerender"),
            ("purpose", "prefetch"),
            ("x-purpose", "preview"),
            ("x-moz", "prefetch"),
        ] {
            check(Method::GET, &[mode, user, ahead], false);
        }
    }
}
