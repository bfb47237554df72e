//! The page in a frame of an origin that is not allowed: a sentence and a link, nothing of the payment.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};

use super::page::{SCRIPT, source};
use super::policy;

const PAGE: &str = include_str!("../../../www/refused.html");

/// Any site may frame it. Its script answers the loader of `embed.js`, and tells developers the remedy.
pub(crate) fn refused_page() -> Response<Body> {
    let mut response = Response::new(Body::from(PAGE));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("Sec-Fetch-Dest, Sec-Fetch-Site, Referer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy::AS_IT_IS));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    policy::protect_refused(headers, &between(SCRIPT, "</script>"), &between("<style>", "</style>"));
    response
}

fn between(start: &str, end: &str) -> String {
    let content = PAGE.split_once(start).and_then(|(_, rest)| rest.split_once(end));
    source(content.map_or("", |(content, _)| content))
}

/// Whether a browser asks for the page in a frame of a page whose origin is not allowed. A browser that does not say which page
/// that is gets the checkout, which `frame-ancestors` protects.
pub(crate) fn is_refused(request: &HeaderMap, allowed_origins: &[String]) -> bool {
    let is = |name: &str, value: &str| request.get(name).is_some_and(|sent| sent == value);
    if !is("sec-fetch-dest", "iframe") || is("sec-fetch-site", "same-origin") {
        return false;
    }
    let referrer = request.get(header::REFERER).and_then(|value| value.to_str().ok());
    let Some(origin) = referrer.and_then(origin) else { return false };
    !policy::sanitized_origins(allowed_origins)
        .iter()
        .any(|allowed| self::origin(allowed).is_some_and(|allowed| allowed == origin))
}

/// Without the port that its scheme has anyway.
fn origin(url: &str) -> Option<String> {
    let origin = url::Url::parse(url).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    const FRAME: (&str, &str) = ("sec-fetch-dest", "iframe");
    const OTHER: (&str, &str) = ("sec-fetch-site", "cross-site");

    #[track_caller]
    fn check(allowed: &[&str], headers: &[(&'static str, &'static str)], expected: bool) {
        let map = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let allowed: Vec<String> = allowed.iter().map(|origin| (*origin).to_owned()).collect();
        assert_eq!(is_refused(&map.collect(), &allowed), expected, "{allowed:?} {headers:?}");
    }

    #[test]
    fn only_frames_of_other_origins_are_refused() {
        let shop = ("referer", "https://shop.example/");
        check(&[], &[FRAME, OTHER, shop], true);
        check(&["https://other.example"], &[FRAME, OTHER, shop], true);
        check(&["https://shop.example.evil"], &[FRAME, OTHER, shop], true);
        check(&["http://shop.example"], &[FRAME, OTHER, shop], true);
        check(&["https://shop.example"], &[FRAME, OTHER, shop], false);
        check(&["https://SHOP.example:443"], &[FRAME, OTHER, shop], false);
        check(&["https://shop.example"], &[FRAME, OTHER, ("referer", "https://shop.example/cart?x")], false);
        check(&["https://shop.example"], &[FRAME, OTHER, ("referer", "https://shop.example:8443/")], true);
        // The page itself, in another language.
        check(&[], &[FRAME, ("sec-fetch-site", "same-origin"), shop], false);
        // Not a frame, or nobody knows whose.
        check(&[], &[("sec-fetch-dest", "document"), OTHER, shop], false);
        check(&[], &[shop], false);
        check(&[], &[FRAME, OTHER], false);
        check(&[], &[FRAME, OTHER, ("referer", "about:blank")], false);
        check(&[], &[FRAME, OTHER, ("referer", "not a URL")], false);
    }

    #[test]
    fn the_page_has_a_strict_policy_and_any_site_may_frame_it() {
        let page = refused_page();
        let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("ASCII");
        let (start, rest) = policy.split_once("'sha256-").expect("a digest");
        assert_eq!(start, "default-src 'none'; script-src ");
        assert!(rest.contains("; style-src 'sha256-"), "{policy}");
        assert!(rest.ends_with("; base-uri 'none'; form-action 'none'"), "{policy}");
        assert_eq!(page.headers()["cross-origin-resource-policy"], "cross-origin");
    }
}
