//! A payment server that has exactly what the interface's text shows, in every spelling of it: amounts as numbers, times as texts,
//! `ltc3Address`, deposits without a status, empty and unknown fields. It shows its `ETag`, but no page may ask with it, and it
//! shows no time.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::serve_beside;

const TOKEN: &str = "a-_.~+/b==";

/// Of each pair: the amount for 25 €, and where it is paid to.
const QUOTES: [(&str, &str, &str, &str); 5] = [
    ("BTC", "BTC", "0.00041667", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("LTC", "LTC", "0.3125", "LgUPnP2UZxmFBJb8FDgNd5JcU9b7CNfrw1"),
    ("USDT", "ETH", "27.173914", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"),
    ("USDT", "TRX", "27.173914", "TBLZaw93rsnLJ1SWTvoPkr7GVg5ixn2Jv1"),
    ("XRP", "XRP", "50", "rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1"),
];

type Payments = Arc<Mutex<BTreeMap<String, Value>>>;

/// `page` is the address of the kit, which its links lead to. Returns the server's URL.
pub fn serve_as_written(page: &str) -> String {
    let payments = Payments::default();
    let page = page.to_owned();
    let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| async move {
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let mut response = decide(&payments, &page, (&method, uri.path()), &headers, &body);
        let headers = response.headers_mut();
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, PATCH"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type"),
            (header::ACCESS_CONTROL_EXPOSE_HEADERS, "etag"),
            (header::ETAG, "\"1\""),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    };
    serve_beside(Router::new().fallback(answer))
}

fn decide(
    payments: &Payments,
    page: &str,
    (method, path): (&Method, &str),
    headers: &HeaderMap,
    body: &Value,
) -> Response {
    let mut payments = payments.lock();
    if method == Method::OPTIONS {
        return StatusCode::OK.into_response();
    }
    if method == Method::POST {
        let id = format!("0198c5a4-6f0e-7cc1-9c8f-{:012}", payments.len());
        let payment = created(&id, body);
        payments.insert(id.clone(), payment.clone());
        let token = TOKEN.replace('+', "%2B");
        let url = format!("{page}?paymentId={id}&theme=LIGHT#sessionToken={token}");
        return axum::Json(json!({"paymentInfo": payment, "paymentUrl": url})).into_response();
    }
    let Some(payment) = payments.get_mut(path.rsplit('/').next().unwrap_or_default()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if method == Method::PUT {
        merge(payment, body);
        return axum::Json(payment.clone()).into_response();
    }
    if headers.get(header::AUTHORIZATION).is_none_or(|token| *token != format!("Bearer {TOKEN}")) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if method == Method::GET {
        return as_written(payment).into_response();
    }
    match choose(payment, body) {
        Ok(()) => format!("{{\"paymentInfo\": {}}}", as_written(payment)).into_response(),
        Err(status) => status.into_response(),
    }
}

fn merge(payment: &mut Value, facts: &Value) {
    let facts = facts.as_object().cloned().unwrap_or_default();
    payment.as_object_mut().expect("an object").extend(facts);
}

fn now() -> u64 {
    std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_secs()
}

fn created(id: &str, order: &Value) -> Value {
    let mut payment = json!({
        "paymentId": id, "status": "NEW", "type": "ONE_TIME", "rateType": "FIXED", "processorType": "BLOCKCHAIN",
        "locale": "en-US", "expirationMinutes": 30, "paymentInitiatedAt": now(), "actualDepositAmount": "0",
        "actualDisplayAmount": "0", "deposits": [], "expectedDisplayAmount": order["displayAmount"],
    });
    merge(&mut payment, order);
    payment
}

fn choose(payment: &mut Value, choice: &Value) -> Result<(), StatusCode> {
    let is_meant = |row: &&(&str, &str, &str, &str)| {
        choice["depositCurrency"] == row.0 && choice.get("network").is_none_or(|network| *network == row.1)
    };
    let (currency, network, amount, address) =
        QUOTES.iter().find(is_meant).ok_or(StatusCode::UNPROCESSABLE_ENTITY)?;
    if payment["deposits"].as_array().is_some_and(|deposits| !deposits.is_empty()) {
        return Err(StatusCode::CONFLICT);
    }
    merge(
        payment,
        &json!({
            "status": "PENDING", "depositCurrency": currency, "expectedNetwork": network, "expectedDepositAmount": amount,
            "walletAddress": address, "paymentRequestedAt": now(),
            "destinationTag": if *currency == "XRP" { json!("12345") } else { Value::Null },
        }),
    );
    Ok(())
}

/// The payment as JSON, oddly spelled.
fn as_written(payment: &Value) -> String {
    let mut payment = payment.clone();
    merge(
        &mut payment,
        &json!({"ltc3Address": "3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAJ", "loyalty": {"points": [1, null]}, "redirectUri": null}),
    );
    if payment.get("redirectUrl").is_none() {
        payment["redirectUrl"] = json!("");
    }
    for deposit in payment["deposits"].as_array_mut().into_iter().flatten() {
        deposit.as_object_mut().expect("an object").remove("status");
        merge(deposit, &json!({"confirmations": 1, "requiredConfirmations": 3}));
    }
    let text = payment.to_string();
    let numbers = ["expectedDepositAmount", "depositAmount", "expectedDisplayAmount", "destinationTag"];
    let texts = ["expirationMinutes", "paymentInitiatedAt", "paymentRequestedAt", "depositReceivedAt"];
    let text = numbers
        .iter()
        .fold(text, |text, name| respelled(&text, name, |value| value.trim_matches('"').to_owned()));
    texts.iter().fold(text, |text, name| respelled(&text, name, |value| format!("\"{value}\"")))
}

/// Every value of this name, which is a number or a text of one.
fn respelled(text: &str, name: &str, spell: impl Fn(&str) -> String) -> String {
    let name = format!("\"{name}\":");
    let mut parts = text.split(&name);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([',', '}']).unwrap_or(part.len());
        let (value, rest) = part.split_at(end);
        let value = if value == "null" { value.to_owned() } else { spell(value) };
        written = [&*written, &name, &value, rest].concat();
    }
    written
}
