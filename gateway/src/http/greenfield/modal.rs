//! `GET /modal/btcpay.js`: the dialog of `embed.js` under the names that shops call.

use axum::http::{HeaderName, header};

const SCRIPT: &str = include_str!("btcpay.js");

pub(super) async fn handle() -> ([(HeaderName, &'static str); 4], &'static str) {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    (headers, SCRIPT)
}
