//! Content-Security-Policies and other security headers of served files.

use std::fmt::Write as _;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The policy around the sources of the page's inline script and of its style elements, up to `frame-ancestors`, which each business
/// adds. The style is also a file: a proxy that changes the page takes the inline one away.
const PAGE_POLICY: (&str, &str, &str) = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ",
    "; style-src 'self' ",
    "; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors",
);

const DESK_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Of pages with inline styles and scripts, whose digests a proxy that changes them breaks.
pub(super) const AS_IT_IS: &str = "no-store, no-transform";

const PERMISSIONS: &str = "accelerometer=(), camera=(), clipboard-read=(), clipboard-write=(self), \
    display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()";

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");

/// More origins than this would make a header that proxies refuse.
const MAX_ORIGINS: usize = 64;

/// The hosted page: loads only itself, and only the merchant may frame it.
pub(super) fn protect_page(
    headers: &mut HeaderMap,
    script: &str,
    styles: &[&str],
    frame_ancestors: &[String],
) {
    let (start, middle, end) = PAGE_POLICY;
    let policy = [start, script, middle, &styles.join(" "), end].concat();
    protect(headers, framed_by(policy, frame_ancestors));
}

/// A page with a form to `action` and no script, which only the merchant may frame.
pub(super) fn protect_form(headers: &mut HeaderMap, style: &str, action: &str, frame_ancestors: &[String]) {
    let policy = format!(
        "default-src 'none'; style-src {style}; img-src 'self' data:; base-uri 'none'; form-action {action}; frame-ancestors"
    );
    protect(headers, framed_by(policy, frame_ancestors));
}

/// The page in a frame that is refused: its own script and style, and any site may frame it.
pub(super) fn protect_refused(headers: &mut HeaderMap, script: &str, style: &str) {
    let policy = format!(
        "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"
    );
    protect(headers, policy);
}

/// A policy that ends with `frame-ancestors`, with those.
fn framed_by(mut policy: String, frame_ancestors: &[String]) -> String {
    let origins = sanitized_origins(frame_ancestors);
    policy.push_str(if origins.is_empty() { " 'none'" } else { " 'self'" });
    for origin in origins {
        let _ = write!(policy, " {origin}");
    }
    policy
}

/// The headers of a page that a merchant's page may frame.
fn protect(headers: &mut HeaderMap, policy: String) {
    let policy = HeaderValue::try_from(policy).expect("digests and sanitized origins are visible ASCII");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(PERMISSIONS));
    // A merchant's page that is cross-origin isolated can frame the page only with these two.
    headers.insert(EMBEDDER_POLICY, HeaderValue::from_static("require-corp"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
}

/// The desk, and the page of a counter: loads only itself, cannot be framed, and is isolated from windows that it opens.
pub(super) fn protect_desk(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(DESK_POLICY));
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(PERMISSIONS));
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
}

/// Scripts of type `module` are fetched with CORS, from the merchant's origin.
pub(super) fn share(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
}

/// The web origins among these texts (`scheme://host[:port]`, http or https), in lower case, without
/// duplicates. The rest is dropped, because it could widen or end the policy in a header.
pub fn sanitized_origins(origins: &[String]) -> Vec<String> {
    let mut sane: Vec<String> = Vec::new();
    for origin in origins.iter().filter(|origin| is_origin(origin)) {
        let origin = origin.to_ascii_lowercase();
        if !sane.contains(&origin) {
            sane.push(origin);
        }
    }
    sane.truncate(MAX_ORIGINS);
    sane
}

fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else { return false };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let sane_port = port.is_none_or(is_port);
    let scheme = scheme.to_ascii_lowercase();
    (scheme == "https" || scheme == "http") && is_host(host) && sane_port && text.len() <= 270
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port != 0)
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    host.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(origins: &[&str]) -> Vec<String> {
        origins.iter().map(|origin| (*origin).to_owned()).collect()
    }

    fn page_policy(origins: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        protect_page(&mut headers, "'sha256-w'", &["'sha256-x'"], &owned(origins));
        headers[header::CONTENT_SECURITY_POLICY].to_str().expect("ASCII").to_owned()
    }

    #[test]
    fn the_page_may_load_only_itself() {
        assert_eq!(
            page_policy(&["https://shop.example", "http://127.0.0.1:4100"]),
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-w'; style-src 'self' 'sha256-x'; \
             img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
             frame-ancestors 'self' https://shop.example http://127.0.0.1:4100"
        );
    }

    #[test]
    fn without_origins_the_page_cannot_be_framed() {
        for origins in [&[][..], &["*"], &["https://*.example"], &["null"]] {
            assert!(page_policy(origins).ends_with("; frame-ancestors 'none'"), "{origins:?}");
        }
    }

    #[test]
    fn valid_origins_are_kept() {
        let kept = [
            "https://shop.example",
            "https://shop.example:8443",
            "http://localhost:3000",
            "http://127.0.0.1:1",
            "http://[::1]:8080",
            "https://[2001:db8::1]",
            "https://xn--bcher-kva.example",
        ];
        for origin in kept {
            assert_eq!(sanitized_origins(&owned(&[origin])), [origin]);
        }
        assert_eq!(
            sanitized_origins(&owned(&["HTTPS://Shop.Example", "https://shop.example"])),
            ["https://shop.example"]
        );
        assert_eq!(
            sanitized_origins(&(0..200).map(|n| format!("https://s{n}.example")).collect::<Vec<_>>()).len(),
            64
        );
    }

    #[test]
    fn other_texts_are_dropped() {
        let dropped = [
            "",
            "*",
            "https:",
            "https://",
            "https://*",
            "https://*.shop.example",
            "https://shop.example/",
            "https://shop.example/path",
            "https://shop.example?x",
            "https://shop.example; script-src *",
            "https://shop.example https://evil.example",
            "https://shop.example,https://evil.example",
            "https://user@shop.example",
            "https://shop..example",
            "https://shop.example:",
            "https://shop.example:0",
            "https://shop.example:99999",
            "https://shop.example:+80",
            "https://shop.example:8 0",
            "https://[::1",
            "https://[not]",
            "https://bücher.example",
            "https://shop.example\r\nset-cookie: a=b",
            "ftp://shop.example",
            "javascript://shop.example",
            "data:text/html,x",
            "'self'",
            "'unsafe-inline'",
            "null",
        ];
        for origin in dropped {
            assert!(sanitized_origins(&owned(&[origin])).is_empty(), "{origin:?}");
        }
    }
}
