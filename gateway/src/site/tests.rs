use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use checkout_domain::ports::page::Drawing;
use tower::ServiceExt as _;

use super::*;

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }
}

async fn read(response: Response<Body>) -> Answer {
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 1 << 20).await.expect("a body in memory").to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    read(router::<()>().oneshot(request).await.expect("the router cannot fail")).await
}

#[tokio::test]
async fn assets_are_cached_forever_and_usable_from_any_origin() {
    let answer = ask(Method::GET, "/assets/checkout-0a1b.wasm", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.body, b"wasm in brotli");
    for (name, value) in [
        ("content-type", "application/wasm"),
        ("content-encoding", "br"),
        ("content-length", "14"),
        ("vary", "Accept-Encoding"),
        ("cache-control", "public, max-age=31536000, immutable, no-transform"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("access-control-allow-origin", "*"),
        ("cross-origin-resource-policy", "cross-origin"),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
}

#[tokio::test]
async fn every_encoding_of_one_file() {
    for (accept, encoding, body) in [
        ("br", "br", &b"embed in brotli"[..]),
        ("gzip", "gzip", b"embed in gzip"),
        ("identity", "", b"embed"),
        ("br;q=0, gzip;q=0", "", b"embed"),
    ] {
        let answer = ask(Method::GET, "/embed.js", &[("accept-encoding", accept)]).await;
        assert_eq!((answer.header("content-encoding"), &answer.body[..]), (encoding, body), "{accept}");
        assert_eq!(answer.header("vary"), "Accept-Encoding", "{accept}");
    }
}

#[tokio::test]
async fn embed_js_is_revalidated_by_its_tag() {
    let first = ask(Method::GET, "/embed.js", &[("accept-encoding", "br")]).await;
    assert_eq!(first.header("cache-control"), "public, max-age=300, no-transform");
    assert_eq!(first.header("content-type"), "text/javascript; charset=utf-8");
    let tag = first.header("etag");
    let digest = tag.trim_matches('"').strip_suffix("-br").expect("the encoding is in the tag");

    for tag in [tag, &format!("W/{tag}"), &format!("\"x\", {tag}"), "*"] {
        let again = ask(Method::GET, "/embed.js", &[("accept-encoding", "br"), ("if-none-match", tag)]).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{tag}");
        assert_eq!(again.body, b"", "{tag}");
        for name in ["etag", "cache-control", "vary", "access-control-allow-origin"] {
            assert_eq!(again.header(name), first.header(name), "{tag} {name}");
        }
        assert_eq!(again.header("content-encoding"), "", "{tag}");
    }
    for tag in [&format!("\"{digest}\""), &format!("\"{digest}-gzip\""), &format!("{digest}-br"), ""] {
        let again = ask(Method::GET, "/embed.js", &[("accept-encoding", "br"), ("if-none-match", tag)]).await;
        assert_eq!(again.status, StatusCode::OK, "{tag}");
    }
}

#[tokio::test]
async fn head_has_the_headers_only() {
    let head = ask(Method::HEAD, "/assets/checkout-0a1b.js", &[("accept-encoding", "gzip")]).await;
    assert_eq!(head.status, StatusCode::OK);
    assert_eq!(head.body, b"");
    assert_eq!(head.header("content-length"), "14");
    assert_eq!(head.header("content-encoding"), "gzip");
    assert_eq!(head.header("content-type"), "text/javascript; charset=utf-8");
}

#[tokio::test]
async fn only_files_of_the_site_are_served() {
    for path in [
        "/assets/",
        "/assets/checkout-0a1b.js.br",
        "/assets/other.js",
        "/assets/../checkout.html",
        "/assets/..%2fcheckout.html",
        "/assets/%2e%2e/embed.js",
        "/checkout.html",
        "/shop/shop.css",
    ] {
        assert_eq!(ask(Method::GET, path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(ask(Method::POST, "/embed.js", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_page_is_not_cached_and_has_a_policy() {
    let mut request = HeaderMap::new();
    request.insert("accept-encoding", "br".parse().expect("a header value"));
    request.insert("if-none-match", "*".parse().expect("a header value"));
    let drawing = Drawing { main: "<main>".to_owned(), data: Some("{}".to_owned()), ..Drawing::default() };
    let origins = ["https://shop.example".to_owned()];
    let page = read(checkout_page(&drawing, &Brand::default(), &origins, &request)).await;
    assert_eq!(page.status, StatusCode::OK);
    let mut body = Vec::new();
    brotli::BrotliDecompress(&mut &*page.body, &mut body).expect("brotli");
    assert_eq!(body, b"<!doctype html><style>a{}</style><script data-cfasync=\"false\">b()</script><main>");
    request.insert("accept-encoding", "gzip".parse().expect("a header value"));
    let plain = read(checkout_page(&drawing, &Brand::default(), &origins, &request)).await;
    assert_eq!((plain.header("content-encoding"), &plain.body), ("", &body));
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("content-encoding", "br"),
        ("cache-control", "no-store, no-transform"),
        ("vary", "Accept-Encoding, Sec-Fetch-Dest"),
        ("etag", ""),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", ""),
        ("access-control-allow-origin", ""),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    let policy = page.header("content-security-policy");
    // The digests of `b()` and of `a{}`.
    for (directive, digest) in [
        ("script-src 'self' 'wasm-unsafe-eval'", "cf242PFc/kb7xD0Qzhsmd9vvRkc+cWFmbi+k+YvtdKc="),
        ("style-src 'self'", "X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk="),
    ] {
        assert!(policy.contains(&format!("; {directive} 'sha256-{digest}';")), "{policy}");
    }
    assert!(page.header("content-security-policy").ends_with("frame-ancestors 'self' https://shop.example"));
    assert!(page.header("permissions-policy").contains("clipboard-write=(self)"));
}

/// Its address is typed where the payer sees whose page it is.
#[tokio::test]
async fn nothing_frames_the_form_of_a_claim() {
    let drawing = Drawing { main: "<form>".to_owned(), data: None, ..Drawing::default() };
    let origins = ["https://shop.example".to_owned()];
    let page = read(checkout_page(&drawing, &Brand::default(), &origins, &HeaderMap::new())).await;
    assert_eq!(
        page.body,
        b"<!doctype html><style>c{}</style><script data-cfasync=\"false\">d()</script><form>"
    );
    let policy = page.header("content-security-policy");
    assert!(policy.ends_with("; frame-ancestors 'none'"), "{policy}");
    for content in ["c{}", "d()"] {
        assert!(policy.contains(&super::page::source(content)), "{content}: {policy}");
    }
    assert_eq!(page.header("cache-control"), "no-store, no-transform");
}

#[tokio::test]
async fn own_files_are_not_readable_by_other_origins() {
    let css = read(own_file("shop/shop.css", &HeaderMap::new())).await;
    assert_eq!((css.status, css.header("content-type")), (StatusCode::OK, "text/css; charset=utf-8"));
    assert_eq!(css.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn a_binary_without_pages_explains_how_to_build_them() {
    let answer = read(own_file("shop/not-in-the-fixture.css", &HeaderMap::new())).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.header("content-type"), "application/problem+json");
    assert_eq!(answer.header("cache-control"), "no-store");
    let problem: Problem = serde_json::from_slice(&answer.body).expect("problem details");
    assert_eq!((problem.status, problem.code.as_str()), (503, "site_not_built"));
    assert!(problem.detail.contains("cargo xtask build"));
}

#[tokio::test]
async fn the_documentation_is_served_with_a_policy_and_as_markdown() {
    for (path, page) in [
        ("/docs", "/docs/"),
        ("/docs/reference", "/docs/reference/index.html"),
        ("/docs/reference/", "/docs/reference/index.html"),
        ("/docs/start", "/docs/start.html"),
        ("/docs/start/", "/docs/start.html"),
        ("/api/docs", "/docs/reference/index.html"),
    ] {
        let moved = ask(Method::GET, path, &[]).await;
        assert_eq!(
            (moved.status, moved.header("location")),
            (StatusCode::PERMANENT_REDIRECT, page),
            "{path}"
        );
    }
    for path in ["/docs/", "/docs/index.html"] {
        let page = ask(Method::GET, path, &[]).await;
        assert_eq!(page.body, b"<!doctype html><title>docs", "{path}");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    }
    let markdown = ask(Method::GET, "/docs/index.md", &[]).await;
    assert_eq!(markdown.header("content-type"), "text/markdown; charset=utf-8");
    assert_eq!(markdown.body, b"# docs");
    assert_eq!(ask(Method::GET, "/docs/other.html", &[]).await.status, StatusCode::NOT_FOUND);
}
