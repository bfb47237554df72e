//! The page of a counter: built, with its texts in one language as JSON.

mod words;

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderValue, Response, header};

use self::words::words;
use super::page::filled;
use super::{find, not_built, policy};
use crate::texts::html::escape;

/// The page in one of `checkout_wire::LOCALES`.
pub(crate) fn counter_page(locale: &str) -> Response<Body> {
    let Some(file) = find("counter.html") else { return not_built() };
    let template = std::str::from_utf8(file.identity).expect("the built page is UTF-8");
    let words = words(locale);
    let data = serde_json::to_string(words).expect("texts are JSON").replace('<', "\\u003c");
    let page = filled(template, data.len(), |name| match name {
        "lang" => Cow::Borrowed(words.locale),
        "title" => escape(words.title),
        "noscript" => escape(words.noscript),
        "words" => Cow::Borrowed(data.as_str()),
        _ => Cow::Borrowed(""),
    });
    let mut response = Response::new(Body::from(page));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Language"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy::AS_IT_IS));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    policy::protect_desk(headers);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_only_itself_and_tells_nobody_where_it_was() {
        let page = counter_page("de-DE");
        let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("referrer-policy"), "no-referrer");
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(policy.ends_with("form-action 'none'; frame-ancestors 'none'"), "{policy}");
    }
}
