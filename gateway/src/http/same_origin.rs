//! Refuses requests from other sites: for pages whose requests need no token, the desk's and the sandbox's.
//!
//! A browser names the requesting site in `Origin` and `Sec-Fetch-Site`. The check of `Host` prevents DNS rebinding, in
//! which a name is pointed at this machine after its page was loaded: such a name has a dot, is not an IP address and
//! is not the listener's own.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use url::{Host, Url};

use super::problem::Refusal;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The pages of a listener.
#[derive(Clone, Debug)]
pub struct SameOrigin {
    /// The listener's URL for browsers.
    pub public_url: Arc<str>,
    /// What other sites may link to.
    pub pages: &'static [&'static str],
}

pub async fn only(State(own): State<SameOrigin>, request: Request, next: Next) -> Response {
    let is_page = request.method().is_safe() && own.pages.contains(&request.uri().path());
    let refused = check(request.headers(), &own.public_url, is_page);
    let mut response = match refused {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

pub(super) fn check(headers: &HeaderMap, public_url: &str, is_page: bool) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST);
    if host.is_some_and(|host| !is_ours(host, public_url)) {
        let detail = "Accepted are IP addresses, names without a dot, and the host of the public URL.";
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "unknown_host",
            "This host is not the gateway's",
            detail,
        ));
    }
    let other = || {
        let detail = "Accepted are requests of the gateway's own pages and of programs other than browsers.";
        Refusal::new(StatusCode::FORBIDDEN, "cross_origin", "The request comes from another site", detail)
    };
    if text(header::ORIGIN).is_some_and(|origin| !is_own_origin(origin, host, public_url)) {
        return Err(other());
    }
    match text(FETCH_SITE) {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_page && text(FETCH_MODE) == Some("navigate") => Ok(()),
        Some(_) => Err(other()),
    }
}

/// Returns whether `origin` is `http://host:port` of the request or the origin of the public URL. A page that came without TLS
/// is another site where the public URL has it.
fn is_own_origin(origin: &str, host: Option<&str>, public_url: &str) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    let public = Url::parse(public_url);
    if let Ok(public) = &public
        && (public.scheme(), url.scheme()) == ("https", "http")
        && public.host_str() == url.host_str()
    {
        return false;
    }
    let same_host = host.and_then(|host| Url::parse(&format!("{}://{host}", url.scheme())).ok());
    matches!(url.scheme(), "http" | "https")
        && (public.is_ok_and(|public| public.origin() == url.origin())
            || same_host.is_some_and(|own| own.origin() == url.origin()))
}

fn is_ours(host: &str, public_url: &str) -> bool {
    let Ok(url) = Url::parse(&format!("http://{host}")) else { return false };
    let public = Url::parse(public_url).ok();
    match url.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            let reserved = [".localhost", ".internal"].iter().any(|end| name.ends_with(end));
            let is_public = public.is_some_and(|public| public.host_str() == Some(name));
            !name.contains('.') || reserved || is_public
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: &str = "https://pay.example";

    #[track_caller]
    fn expect(headers: &[(&'static str, &'static str)], is_page: bool, allowed: bool) {
        let map = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        assert_eq!(check(&map.collect(), PUBLIC, is_page).is_ok(), allowed, "{headers:?}");
    }

    #[test]
    fn hosts() {
        for host in [
            "127.0.0.1:8080",
            "127.0.0.1",
            "[::1]:8080",
            "192.168.1.7:80",
            "localhost:8080",
            "checkout:8080",
            "shop.localhost",
            "host.docker.internal:8080",
            "pay.example",
            "PAY.example:443",
            "localhost.:80",
        ] {
            expect(&[("host", host)], false, true);
        }
        for host in [
            "evil.example",
            "evil.example:8080",
            "pay.example.evil.example",
            "127.0.0.1.evil.example",
            "",
            "a b",
        ] {
            expect(&[("host", host)], false, false);
            expect(&[("host", host)], true, false);
        }
    }

    #[test]
    fn origins() {
        let host = ("host", "127.0.0.1:8080");
        expect(&[host], false, true);
        for origin in ["http://127.0.0.1:8080", "https://pay.example", "https://pay.example:443"] {
            expect(&[host, ("origin", origin)], false, true);
        }
        expect(&[("host", "pay.example"), ("origin", "http://pay.example")], false, false);
        expect(&[("host", "pay.example"), ("origin", "https://pay.example")], false, true);
        for origin in [
            "http://127.0.0.1:8081",
            "http://localhost:8080",
            "http://evil.example",
            "https://127.0.0.1.evil.example",
            "http://pay.example",
            "null",
            "",
            "file://",
            "chrome-extension://abc",
        ] {
            expect(&[host, ("origin", origin)], false, false);
            expect(&[host, ("origin", origin)], true, false);
        }
    }

    #[test]
    fn fetch_metadata() {
        for (site, allowed) in
            [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)]
        {
            expect(&[("sec-fetch-site", site)], false, allowed);
            expect(&[("sec-fetch-site", site), ("sec-fetch-mode", "navigate")], false, allowed);
            expect(&[("sec-fetch-site", site), ("sec-fetch-mode", "navigate")], true, true);
            expect(&[("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")], true, allowed);
        }
    }
}
