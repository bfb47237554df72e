//! A small site, so that tests do not need a built one.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Cache, File};

static IS_USED: AtomicBool = AtomicBool::new(false);

/// Makes this process serve the small site instead of the built one, for tests of other crates.
pub fn install() {
    IS_USED.store(true, Ordering::Relaxed);
}

#[allow(dead_code, reason = "unit tests of this crate always use it")]
pub(super) fn is_used() -> bool {
    IS_USED.load(Ordering::Relaxed)
}

pub(super) static FILES: &[File] = &[
    File {
        path: "assets/checkout-0a1b.js",
        mime: "text/javascript; charset=utf-8",
        cache: Cache::Immutable,
        digest: "01",
        identity: b"script",
        br: Some(b"script in brotli"),
        gz: Some(b"script in gzip"),
    },
    File {
        path: "assets/checkout-0a1b.wasm",
        mime: "application/wasm",
        cache: Cache::Immutable,
        digest: "02",
        identity: b"\0asm",
        br: Some(b"wasm in brotli"),
        gz: Some(b"wasm in gzip"),
    },
    File {
        path: "checkout.html",
        mime: "text/html; charset=utf-8",
        cache: Cache::NoStore,
        digest: "03",
        identity: b"<!doctype html><style>a{}</style><script>b()</script>{{brand}}{{main}}",
        br: None,
        gz: None,
    },
    File {
        path: "claim.html",
        mime: "text/html; charset=utf-8",
        cache: Cache::NoStore,
        digest: "09",
        identity: b"<!doctype html><style>c{}</style><script>d()</script>{{brand}}{{main}}",
        br: None,
        gz: None,
    },
    File {
        path: "console.html",
        mime: "text/html; charset=utf-8",
        cache: Cache::NoStore,
        digest: "06",
        identity: b"<!doctype html><title>console",
        br: None,
        gz: None,
    },
    File {
        path: "docs/index.html",
        mime: "text/html; charset=utf-8",
        cache: Cache::Short,
        digest: "07",
        identity: b"<!doctype html><title>docs",
        br: None,
        gz: None,
    },
    File {
        path: "docs/index.md",
        mime: "text/markdown; charset=utf-8",
        cache: Cache::Short,
        digest: "08",
        identity: b"# docs",
        br: None,
        gz: None,
    },
    File {
        path: "embed.js",
        mime: "text/javascript; charset=utf-8",
        cache: Cache::Short,
        digest: "04",
        identity: b"embed",
        br: Some(b"embed in brotli"),
        gz: Some(b"embed in gzip"),
    },
    File {
        path: "shop/shop.css",
        mime: "text/css; charset=utf-8",
        cache: Cache::Short,
        digest: "05",
        identity: b"body {}",
        br: None,
        gz: None,
    },
];
