//! A small site, so that tests do not need a built one.

use std::sync::atomic::{AtomicBool, Ordering};

use super::files::Row;

static IS_USED: AtomicBool = AtomicBool::new(cfg!(test));

/// Makes this process serve the small site instead of the built one, for tests of other crates.
pub fn install() {
    IS_USED.store(true, Ordering::Relaxed);
}

pub(super) fn is_used() -> bool {
    IS_USED.load(Ordering::Relaxed)
}

pub(super) const ROWS: &[Row] = &[
    ("assets/checkout-0a1b.js", b"script", Some(b"script in brotli"), Some(b"script in gzip")),
    ("assets/checkout-0a1b.wasm", b"\0asm", Some(b"wasm in brotli"), Some(b"wasm in gzip")),
    (
        "checkout.html",
        b"<!doctype html><style>a{}</style><script data-cfasync=\"false\">b()</script>{{brand}}{{main}}",
        None,
        None,
    ),
    (
        "claim.html",
        b"<!doctype html><style>c{}</style><script data-cfasync=\"false\">d()</script>{{brand}}{{main}}",
        None,
        None,
    ),
    ("counter.html", b"<!doctype html><html lang=\"{{lang}}\"><title>{{title}}</title><script type=\"application/json\">{{words}}</script>", None, None),
    ("desk.html", b"<!doctype html><title>desk", None, None),
    ("docs/index.html", b"<!doctype html><title>docs", None, None),
    ("docs/index.md", b"# docs", None, None),
    ("docs/reference/index.html", b"<!doctype html><title>reference", None, None),
    ("docs/start.html", b"<!doctype html><title>start", None, None),
    ("embed.js", b"embed", Some(b"embed in brotli"), Some(b"embed in gzip")),
    ("sandbox/drawer.js", b"drawer", None, None),
    ("sandbox/wallet.js", b"wallet", None, None),
    ("shop/shop.css", b"body {}", None, None),
];
