//! `GET /`: a short page about the gateway.

use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::Html;

use crate::http::Shared;

const HEADERS: [(HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
) -> ([(HeaderName, &'static str); 4], Html<String>) {
    let (kind, desk) = if app.policy.sandbox {
        (
            " in the sandbox: nothing here is real money",
            "<li><a href=\"/desk\">Desk</a>: payments, callbacks and the simulated chains</li>\n",
        )
    } else {
        ("", "")
    };
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Crypto Checkout</title>\n\
         <h1>Crypto Checkout</h1>\n<p>A payment gateway for cryptocurrencies{kind}.</p>\n<ul>\n{desk}\
         <li><a href=\"/docs/\">Documentation</a></li>\n\
         <li><a href=\"/docs/reference\">API reference</a></li>\n\
         <li><a href=\"/api/openapi.json\">OpenAPI document</a></li>\n</ul>\n\
         <p>To pay, open the link that the shop gave you.</p>\n</html>\n"
    );
    (HEADERS, Html(page))
}
