//! What the drawer of the desk asks the sandbox for.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_core::chain::CHAINS;
use checkout_gateway::service::callbacks::deliver_callbacks::CallbackDispatcher;
use checkout_simulator::world::{Run, own_business};
use serde_json::{Value, json};

use super::{Answer, World};

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// A running sandbox like that of `checkout serve --sandbox`: the world's business is its own one.
pub(super) async fn started() -> World {
    start(World::new().await).await
}

async fn start(world: World) -> World {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let inbox = format!("http://{}/sandbox/inbox", listener.local_addr().unwrap());
    tokio::spawn(checkout_gateway::http::server::serve(
        listener,
        world.router.clone(),
        checkout_gateway::http::server::Caps::default(),
        std::future::pending(),
    ));
    let run = Run { origins: Vec::new(), deposit_callback: inbox.clone(), withdrawal_callback: inbox };
    let app = std::sync::Arc::clone(&world.app);
    let sandbox = checkout_simulator::World { app, sandbox: world.simulated.clone() };
    let (business, token) = own_business(&sandbox, run).await.unwrap();
    World { business, token, ..world }
}

impl World {
    pub(super) async fn look(&self, path: &str) -> Value {
        let answer = self.call(Method::GET, path, None, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.json);
        answer.json
    }

    pub(super) async fn act(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path, None, Some(&body)).await
    }

    pub(super) async fn deliver(&self) {
        let mut dispatcher = CallbackDispatcher::new(self.app.clone());
        dispatcher.begin_due().await.unwrap();
        dispatcher.finish().await;
    }
}

#[tokio::test]
async fn the_overview_shows_the_simulated_world() {
    let world = started().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.advance(60).await;
    world.sandbox("flags", json!({"network": "BTC", "address": BITCOIN})).await;
    let overview = world.look("/sandbox/overview").await;
    let chains = overview["chains"].as_array().unwrap();
    let bitcoin = chains.iter().find(|chain| chain["network"] == "BTC").unwrap();
    let expected = json!({
        "network": "BTC", "name": "Bitcoin", "height": 0, "pending": 1, "finality": 1, "usualSender": BITCOIN,
    });
    assert_eq!(*bitcoin, expected);
    assert_eq!(chains.len(), CHAINS.iter().filter(|row| !row.network.is_opt_in()).count());
    assert_eq!(overview["clockAheadSeconds"], 60);
    assert_eq!(
        overview["flaggedAddresses"],
        json!([{"network": "BTC", "address": BITCOIN, "flagged": true}])
    );
    world.mine("BTC").await;
    world.sandbox("flags", json!({"network": "BTC", "address": BITCOIN, "flagged": false})).await;
    let overview = world.look("/sandbox/overview").await;
    assert_eq!((&overview["chains"][0]["height"], &overview["chains"][0]["pending"]), (&json!(1), &json!(0)));
    assert_eq!(overview["flaggedAddresses"], json!([]));
}

#[tokio::test]
async fn the_credentials_are_those_of_the_own_business() {
    let world = started().await;
    let credentials = world.look("/sandbox/credentials").await;
    assert_eq!(credentials["businessId"], world.business.id.to_string());
    assert_eq!(credentials["businessToken"], world.token);
    assert_eq!(credentials["callbackSecret"], world.business.callback_secret);
    assert_eq!(credentials["baseUrl"], "http://pay.test");
}

#[tokio::test]
async fn a_payment_leads_to_its_checkout() {
    let world = started().await;
    let created = world.create(json!({})).await;
    let path = format!("/sandbox/payments/{}/checkout", created.payment_id());
    let answer = world.call(Method::GET, &path, None, None).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), created.json["paymentUrl"].as_str());
    for id in ["x", "00000000-0000-0000-0000-000000000000"] {
        let path = format!("/sandbox/payments/{id}/checkout");
        assert_eq!(world.call(Method::GET, &path, None, None).await.status, StatusCode::NOT_FOUND, "{id}");
    }
}

/// Other sites, such as the demo shop, link to the desk, and to the page that was at `/sandbox` before.
#[tokio::test]
async fn the_pages() {
    let world = World::new().await;
    let link = async |path: &str| {
        let link =
            Request::get(path).header("sec-fetch-site", "cross-site").header("sec-fetch-mode", "navigate");
        world.send(link.body(Body::empty()).unwrap()).await
    };
    let old = link("/sandbox").await;
    assert_eq!((old.status, old.header("location")), (StatusCode::PERMANENT_REDIRECT, Some("/desk")));
    let page = link("/desk").await;
    assert_eq!(page.status, StatusCode::OK);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    let script = world.call(Method::GET, "/sandbox/drawer.js", None, None).await;
    assert_eq!((script.status, script.bytes.as_slice()), (StatusCode::OK, &b"drawer"[..]));
    assert_eq!(link("/sandbox/drawer.js").await.status, StatusCode::FORBIDDEN);
}

/// Changed terms do not affect an existing payment.
#[tokio::test]
async fn terms_apply_to_later_payments() {
    let world = started().await;
    let before = world.create(json!({})).await.payment_id();
    let terms = json!({
        "overpaymentPolicy": "EXCESS_REFUND", "refundFollowUpDepositsForOneTimePayments": true,
        "settlementCryptoCurrency": "LTC", "settlementCryptoRatio": "0.25",
    });
    let answer = world.act("/sandbox/business", terms.clone()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    for (name, value) in terms.as_object().unwrap() {
        assert_eq!(answer.json[name], *value, "{name}");
    }
    let after = world.create(json!({"clientPaymentId": "order-2"})).await.payment_id();
    for (id, policy) in [(before, "PROCESS"), (after, "EXCESS_REFUND")] {
        assert_eq!(world.payment(&id).await["overpaymentPolicy"], policy);
    }
    let kept = world.act("/sandbox/business", json!({})).await.json;
    assert_eq!(kept, answer.json, "omitted settings stay");
    let world = start(world.restart().await).await;
    let kept = world.act("/sandbox/business", json!({})).await.json;
    assert_eq!(kept["settlementCryptoRatio"], "0.25");
}

#[tokio::test]
async fn a_misspelled_term_of_the_business_is_an_error() {
    let world = started().await;
    let refused =
        world.act("/sandbox/business", json!({"overpaymentpolicy": "PROCESS", "theme": "DARK"})).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.errors(), [("/overpaymentpolicy".to_owned(), "unknown_field".to_owned())]);
    let wanted = json!({
        "name": "Kettle", "allowedOrigins": ["http://localhost:3000"], "theme": "DARK",
        "depositReceivedCallbackUrl": "http://localhost:3000/hook", "supportedDepositCurrencies": ["BTC", "XLM"],
    });
    let changed = world.act("/sandbox/business", wanted).await;
    assert_eq!(
        (changed.status, &changed.json["name"]),
        (StatusCode::OK, &json!("Kettle")),
        "{}",
        changed.json
    );
    assert_eq!(changed.json["supportedDepositCurrencies"], json!(["BTC", "XLM"]));
    assert_eq!(changed.json["theme"], "DARK");
    let wrong = json!({"allowedOrigins": ["*"], "supportedDepositCurrencies": "BTC", "name": "\u{200b}"});
    let refused = world.act("/sandbox/business", wrong).await;
    let expected =
        [("/allowedOrigins", "bad_url"), ("/name", "empty"), ("/supportedDepositCurrencies", "wrong_type")];
    assert_eq!(refused.errors(), expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned())));
}
