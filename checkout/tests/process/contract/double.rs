//! A payment server that shows every row of the contract, and breaks one on demand. Money arrives by itself, once the payment was
//! read twice after the last choice that the server refused.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_test_nodes::serve_at;
use parking_lot::Mutex;
use serde_json::{Value, json};

const TOKEN: &str = "token";

/// A payment within its window, and one after it.
pub(crate) const NEW: &str = "0198c5a4-6f0e-7cc1-9c8f-000000000001";
const OVER: &str = "0198c5a4-6f0e-7cc1-9c8f-000000000002";

/// Currency and network, the amount, and where it is paid to.
const QUOTES: [(&str, &str, &str, &str); 2] = [
    ("BTC", "BTC", "0.00041667", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    ("XRP", "XRP", "50", "rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1"),
];

/// A request, and the right answer to it, which a fault changes.
pub(crate) struct Exchange {
    pub(crate) method: Method,
    /// Of the request.
    pub(crate) body: Value,
    pub(crate) is_known: bool,
    pub(crate) is_stranger: bool,
    /// The request has an `ETag`.
    pub(crate) is_conditional: bool,
    /// Accepted and refused choices so far.
    pub(crate) chosen: usize,
    pub(crate) refused: usize,
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<&'static str, String>,
    /// As it stands, also where the answer is another.
    pub(crate) payment: Value,
}

pub(crate) type Fault = fn(&mut Exchange);

#[derive(Clone, Default)]
struct Payment {
    fields: Value,
    chosen: usize,
    refused: usize,
    /// Reads since the last refused choice.
    reads: usize,
    requests: usize,
}

struct Double {
    payments: Mutex<BTreeMap<String, Payment>>,
    fault: Fault,
}

/// Starts it. Returns the links of both payments; their page is of another origin than the API, and promises both pairs.
pub(crate) fn start(fault: Fault) -> Vec<String> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let now = SystemClock.now();
    let of = |id: &str, status: &str, begun: u64| {
        let fields = json!({
            "paymentId": id, "clientPaymentId": "order-1", "status": status, "type": "ONE_TIME", "rateType": "FIXED",
            "displayCurrency": "EUR", "expectedDisplayAmount": "25.00", "expirationMinutes": 30, "paymentInitiatedAt": begun,
            "actualDepositAmount": "0", "actualDisplayAmount": "0", "deposits": [], "locale": "en-US",
            "redirectUrl": "http://shop.example/thanks", "overpaymentPolicy": "EXCESS_REFUND",
            "refundFollowUpDepositsForOneTimePayments": true,
        });
        (id.to_owned(), Payment { fields, ..Payment::default() })
    };
    let payments = [of(NEW, "NEW", now - 60), of(OVER, "EXPIRED", now - 7_200)].into();
    let double = Arc::new(Double { payments: Mutex::new(payments), fault });
    let settings =
        json!({"api": format!("http://127.0.0.1:{port}"), "pairs": ["BTC.BTC", "XRP.XRP"]}).to_string();
    let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| async move {
        match uri.path() {
            "/pay/checkout.json" => settings.into_response(),
            path => double.answer(method, path, &headers, &body),
        }
    };
    serve_at(listener, Router::new().fallback(answer));
    let link = |id: &str| format!("http://localhost:{port}/pay/?paymentId={id}&sessionToken={TOKEN}");
    vec![link(NEW), link(OVER)]
}

impl Double {
    fn answer(&self, method: Method, path: &str, headers: &HeaderMap, body: &[u8]) -> Response {
        let mut payments = self.payments.lock();
        let id = path.rsplit('/').next().unwrap_or_default();
        let is_known = payments.contains_key(id) && path.starts_with("/api/v1/payments/");
        let mut missing = Payment::default();
        let payment = payments.get_mut(id).unwrap_or(&mut missing);
        let mut exchange = Exchange {
            body: serde_json::from_slice(body).unwrap_or(Value::Null),
            is_stranger: headers
                .get(header::AUTHORIZATION)
                .is_none_or(|value| *value != format!("Bearer {TOKEN}")),
            is_conditional: headers.contains_key(header::IF_NONE_MATCH),
            is_known,
            chosen: payment.chosen,
            refused: payment.refused,
            status: 200,
            headers: [
                ("access-control-allow-origin", "*".to_owned()),
                ("access-control-allow-methods", "GET, PATCH".to_owned()),
                ("access-control-allow-headers", "authorization, content-type, if-none-match".to_owned()),
                ("access-control-expose-headers", "date, etag, retry-after, x-server-time".to_owned()),
                ("x-server-time", (SystemClock.now() * 1_000).to_string()),
            ]
            .into(),
            payment: Value::Null,
            method,
        };
        let before = payment.clone();
        exchange.status = payment.decide(&exchange);
        let decided = exchange.status;
        exchange.payment = payment.fields.clone();
        let etag = format!("\"{}\"", payment.fields);
        let etag = HeaderValue::from_str(&etag).unwrap();
        if exchange.status == 200 && headers.get(header::IF_NONE_MATCH) == Some(&etag) {
            exchange.status = 304;
        }
        if id != OVER {
            (self.fault)(&mut exchange);
        }
        if decided == 200 && exchange.status >= 400 {
            *payment = before;
        }
        exchange.respond(etag)
    }
}

impl Payment {
    fn decide(&mut self, exchange: &Exchange) -> u16 {
        if exchange.method == Method::OPTIONS {
            return 204;
        }
        if !exchange.is_known {
            return 404;
        }
        if exchange.is_stranger {
            return 401;
        }
        self.requests += 1;
        match (&exchange.method, self.requests) {
            // Too often.
            (_, 1) => 429,
            (&Method::GET, _) => {
                if !exchange.is_conditional {
                    self.reads += 1;
                    self.receive();
                }
                200
            }
            // No rate yet.
            _ if self.chosen == 0 && std::mem::replace(&mut self.chosen, 1) == 0 => 503,
            _ => self.choose(&exchange.body),
        }
    }

    fn choose(&mut self, choice: &Value) -> u16 {
        if self.fields["deposits"].as_array().is_some_and(|deposits| !deposits.is_empty()) {
            return 409;
        }
        let Some((currency, network, amount, address)) =
            QUOTES.iter().find(|row| choice["depositCurrency"] == row.0 && choice["network"] == row.1)
        else {
            (self.refused, self.reads) = (self.refused + 1, 0);
            return 422;
        };
        self.chosen += 1;
        self.merge(&json!({
            "status": "PENDING", "depositCurrency": currency, "expectedNetwork": network, "expectedDepositAmount": amount,
            "walletAddress": address, "paymentRequestedAt": SystemClock.now(),
            "destinationTag": if *currency == "XRP" { json!("12345") } else { Value::Null },
        }));
        200
    }

    fn receive(&mut self) {
        let paid = match self.reads {
            2 if self.refused >= 2 => false,
            3 if self.refused >= 2 => true,
            _ => return,
        };
        let mut deposit = deposit();
        if paid {
            deposit["status"] = json!("CONFIRMED");
            deposit["refund"] = json!({
                "type": "PARTIAL", "status": "PENDING", "reason": "OVERPAYMENT", "amount": "0.0001", "fee": "0.00001",
                "displayCurrency": "EUR", "displayAmount": "6.00", "displayFee": "0.60",
            });
        }
        let status = if paid { "OVERPAID" } else { "AWAITING" };
        self.merge(&json!({"status": status, "deposits": [deposit]}));
    }

    fn merge(&mut self, facts: &Value) {
        let facts = facts.as_object().unwrap().clone();
        self.fields.as_object_mut().unwrap().extend(facts);
    }
}

pub(crate) fn deposit() -> Value {
    json!({
        "id": "0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d", "depositAmount": "0.00052", "depositCurrency": "BTC",
        "depositReceivedAt": SystemClock.now(), "displayAmount": "31.00", "displayCurrency": "EUR", "status": "UNCONFIRMED",
        "fromAddress": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "toAddress": QUOTES[0].3,
        "transactionId": "aa", "onChainFee": "0.00001",
    })
}

impl Exchange {
    /// A successful answer with the payment.
    pub(crate) fn has_payment(&self) -> bool {
        self.status == 200
    }

    pub(crate) fn is_get(&self) -> bool {
        self.method == Method::GET
    }

    pub(crate) fn is_choice_of(&self, currency: &str) -> bool {
        self.method == Method::PATCH
            && self.body["depositCurrency"] == currency
            && self.body["network"] == currency
    }

    pub(crate) fn says(&self, status: &str) -> bool {
        self.has_payment() && self.payment["status"] == status
    }

    fn respond(self, etag: HeaderValue) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap();
        let mut response = match self.status {
            200 if self.method == Method::PATCH => {
                json!({"paymentInfo": self.payment}).to_string().into_response()
            }
            200 => self.payment.to_string().into_response(),
            _ => status.into_response(),
        };
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::ETAG, etag);
        if self.status == 429 {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        for (name, value) in self.headers {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap());
        }
        response
    }
}
