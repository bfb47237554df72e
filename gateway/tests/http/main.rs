//! The real router on a real store, with simulated chains and a clock that tests control.
//! `CHECKOUT_TEST_STORE=postgres` runs the same tests on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod approved_as_seen;
mod attacks_rules;
mod auth;
mod available;
mod being_valued;
mod brand;
mod browsers;
mod businesses;
mod buy_page;
mod callbacks;
mod cancel;
mod cents;
mod claim_limits;
mod claim_page;
mod claim_thefts;
mod claims;
mod compared;
mod confirmations;
mod confirmations_attacks;
mod confirmations_by_amount;
mod contract;
mod counter_sales;
mod counters;
mod credentials;
mod decisions;
mod deposit_pages;
mod deposit_sums;
mod desk;
mod drawer;
mod drawer_refused;
mod dust;
mod event_endpoint;
mod events;
mod examples;
mod faults;
mod finality;
mod fixture;
mod flagged;
mod framing;
mod golden;
mod greenfield;
mod held_deposits;
mod hindsight;
mod hourly_limit;
mod idempotency;
mod inbox;
mod instant_per_business;
mod judged_once;
mod lasting_notices;
mod leaving;
mod ledger;
mod life;
mod limits;
mod list_callbacks;
mod list_deposits;
mod list_ledger;
mod list_order;
mod list_payments;
mod list_quotes;
mod list_refunds;
mod list_withdrawals;
mod lock_order;
mod lookups;
mod lost_answers;
mod many_deposits;
mod memo_types;
mod merchant_refund_attacks;
mod merchant_refund_cases;
mod merchant_refund_ended;
mod merchant_refund_servers;
mod merchant_refund_stage;
mod merchant_refunds;
mod metrics;
mod misspelled;
mod nearly_right;
mod network_fees;
mod not_credited;
mod notes;
mod offered_order;
mod one_fee;
mod openapi;
mod operator_notices;
mod opt_ins;
mod outputs;
mod overdrawn;
mod own_accounts;
mod own_wallet;
mod own_wallet_attacks;
mod pages_for_people;
mod paid_once;
mod pairs;
mod parts_in_one_block;
mod polls;
mod property;
mod rate_limits;
mod receipts;
mod refund_addresses;
mod refund_minimum;
mod refunds;
mod released;
mod replaced;
mod restart;
mod restored;
mod restored_claims;
mod returned;
mod rows;
mod sale_links;
mod sale_windows;
mod sandbox_api;
mod sandbox_inbox;
mod scopes;
mod senders;
mod set_aside;
mod settlement_changed;
mod shared_address;
mod shown_quotes;
mod simulation;
mod single_offer;
mod slow_network;
mod slow_screening;
mod small_rest;
mod stale_rates;
mod stuck_chain;
mod test_networks;
mod texts;
mod too_small;
mod two_clocks;
mod two_rates;
mod typed_events;
mod untagged;
mod untagged_transactions;
mod usual_fee;
mod waiting_reasons;
mod wallet_page;
mod wallets;
mod whitelist;
mod withdraw_fees;
mod withdrawal_callbacks;
mod withdrawal_rules;
mod withdrawals;
mod wrong_input;
mod wrong_network;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use checkout_core::chain::CHAINS;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::business::Business;
use checkout_domain::business::service_fees::ServiceFees;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::opt_ins::OptIns;
use checkout_domain::ports::Clock;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::businesses::create_business::create_organisation_key;
use checkout_sandbox::http::{described, extra};
use checkout_simulator::clock::MovableClock;
use checkout_simulator::{Sandbox, world};
use checkout_storage::Database;
use checkout_wire::payment::RefundAddress;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use fixture::{Look as _, Place};

/// The initial time of every test, in UNIX seconds.
const START: u64 = 1_800_000_000;

/// A clock that advances only when a test moves it.
#[derive(Debug)]
struct TestClock(AtomicU64);

impl Clock for TestClock {
    fn now_millis(&self) -> u64 {
        (START + self.0.load(Ordering::SeqCst)) * 1000 + 250
    }
}

impl MovableClock for TestClock {
    fn run_ahead(&self, seconds: u64) {
        self.0.fetch_max(seconds, Ordering::SeqCst);
    }
}

/// A gateway with its database, and a business with the default settings.
struct World {
    place: Place,
    app: Arc<App>,
    simulated: Sandbox,
    router: Router,
    database: Database,
    business: Business,
    token: String,
}

/// An answer; its body is parsed when it is JSON.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    bytes: Vec<u8>,
    json: Value,
}

impl World {
    async fn new() -> Self {
        Self::with(Settings {
            name: Some("Kettle & Co".to_owned()),
            allowed_origins: Some(vec!["https://shop.example".to_owned()]),
            ..Settings::default()
        })
        .await
    }

    async fn with(business: Settings) -> Self {
        Self::at(Place::chosen(), business).await
    }

    async fn at(place: Place, business: Settings) -> Self {
        Self::in_world(place, at_once(), business).await
    }

    async fn in_world(place: Place, finality: Finality, business: Settings) -> Self {
        Self::with_keys(place, finality, business, Vec::new()).await
    }

    /// A gateway whose operator configured the networks of these deposit keys.
    async fn with_keys(
        place: Place,
        finality: Finality,
        business: Settings,
        keys: Vec<(Network, String)>,
    ) -> Self {
        let (app, simulated, database) = open(&place, finality, keys).await;
        // Money in fiat, as in the sandbox, unless a test asks for another settlement.
        let business = Settings {
            settlement_crypto: business.settlement_crypto.or(Some(Some(Currency::Btc))),
            settlement_ratio: business.settlement_ratio.or(Some(Decimal::ZERO)),
            // Refunds that need nobody, unless a test is about who says where they go.
            refund_address: business.refund_address.or(Some(RefundAddress::Sender)),
            ..business
        };
        let (business, token) = fixture::create_business(&app, business).await;
        let router = router(&app, &simulated);
        Self { place, app, simulated, router, database, business, token }
    }

    /// Discards all state in memory and opens the same database again.
    async fn restart(self) -> Self {
        let (app, simulated, database) =
            open(&self.place, self.app.policy.finality.clone(), Vec::new()).await;
        let router = router(&app, &simulated);
        Self { app, simulated, router, database, ..self }
    }

    async fn organisation_key(&self) -> String {
        create_organisation_key(&self.database, START, &OsRandom).await.unwrap()
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let answer = Answer { status: parts.status, headers: parts.headers, bytes, json };
        answer.check_problem();
        contract::check(&method, &path, &answer, &self.app);
        answer
    }

    async fn call(&self, method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        Box::pin(self.send(request.body(body).unwrap())).await
    }

    async fn get(&self, path: &str, token: &str) -> Answer {
        self.call(Method::GET, path, Some(token), None).await
    }

    async fn post(&self, path: &str, token: &str, body: &Value) -> Answer {
        self.call(Method::POST, path, Some(token), Some(body)).await
    }

    async fn patch(&self, path: &str, token: &str, body: &Value) -> Answer {
        self.call(Method::PATCH, path, Some(token), Some(body)).await
    }

    /// Creates a payment with these fields over the default ones.
    async fn create(&self, fields: Value) -> Answer {
        self.post("/api/v1/payments", &self.token, &payment_body(fields)).await
    }

    /// Creates a payment and chooses a pair. Returns its id and its session token.
    async fn quoted(&self, fields: Value, currency: &str, network: &str) -> (String, String) {
        let created = self.create(fields).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.json);
        let (id, session) = (created.payment_id(), created.session_token());
        let body = json!({"depositCurrency": currency, "network": network});
        let patched = self.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
        assert_eq!(patched.status, StatusCode::OK, "{}", patched.json);
        (id, session)
    }

    async fn payment(&self, id: &str) -> Value {
        let answer = self.get(&format!("/api/v1/payments/{id}"), &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        answer.json
    }

    /// Sends a request of the control API that must succeed.
    async fn sandbox(&self, path: &str, body: Value) -> Value {
        let answer = self.call(Method::POST, &format!("/sandbox/{path}"), None, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{path} {body}: {}", answer.json);
        answer.json
    }

    /// Sends `amount` to the payment's address. Returns the transaction id.
    async fn pay(&self, id: &str, amount: &str) -> String {
        let payment = self.payment(id).await;
        let mut body = json!({
            "network": payment["expectedNetwork"],
            "currency": payment["depositCurrency"],
            "address": payment["walletAddress"],
            "amount": amount,
        });
        if let Some(tag) = payment.get("destinationTag") {
            body["destinationTag"] = tag.clone();
        }
        self.sandbox("transfers", body).await["transactionId"].as_str().unwrap().to_owned()
    }

    async fn mine(&self, network: &str) {
        self.sandbox("blocks", json!({"network": network, "count": 1})).await;
    }

    async fn advance(&self, seconds: u64) {
        self.sandbox("clock", json!({"advanceSeconds": seconds})).await;
    }

    /// Starts to watch for commits.
    async fn watch(&self) -> Watch {
        Watch { database: self.place.open().await, version: 0 }.begun().await
    }
}

/// Detects commits.
struct Watch {
    database: Database,
    version: u64,
}

impl Watch {
    async fn begun(mut self) -> Self {
        self.version = self.now().await;
        self
    }

    #[track_caller]
    fn assert_same(&self, now: u64, case: &str) {
        assert_eq!(self.version, now, "{case}: something was written");
    }

    async fn now(&mut self) -> u64 {
        self.database.version().await
    }
}

/// One confirmation is final, for tests that do not cover finality.
fn at_once() -> Finality {
    Finality::with(CHAINS.iter().map(|row| (row.network, 1)))
}

async fn open(
    place: &Place,
    finality: Finality,
    keys: Vec<(Network, String)>,
) -> (Arc<App>, Sandbox, Database) {
    checkout_gateway::site::fixture::install();
    let database = place.open().await;
    let clock = Arc::new(TestClock(AtomicU64::new(0)));
    let sandbox = Sandbox { clock, ..Sandbox::new(&database) };
    let (limits, fees) = (RateLimits::standard(false), ServiceFees::sandbox());
    let policy = Policy { finality, limits, fees, sandbox: true, ..Policy::default() };
    let rules = RuleScreening::new(&[]);
    let app = Arc::new(sandbox.app(policy, rules, keys, "http://pay.test".to_owned()).await.unwrap());
    app.state.ids.rise_above_stored(&database).await.unwrap();
    let world = checkout_simulator::World { app: Arc::clone(&app), sandbox: sandbox.clone() };
    world::restore(&world).await.unwrap();
    drop(world);
    (app, sandbox, database)
}

/// All routes of a gateway with its sandbox.
fn router(app: &Arc<App>, sandbox: &Sandbox) -> Router {
    let world = checkout_simulator::World { app: Arc::clone(app), sandbox: sandbox.clone() };
    checkout_gateway::http::router(Arc::clone(app), extra(world))
}

/// Returns the OpenAPI document of a gateway with or without a sandbox.
fn document(sandbox: bool) -> Value {
    document_with(sandbox, &OptIns::default())
}

/// The same of a gateway with networks beyond the interface.
fn document_with(sandbox: bool, opt_ins: &OptIns) -> Value {
    let extra = if sandbox { described } else { aide::axum::ApiRouter::new };
    checkout_gateway::http::document(extra, opt_ins).json.clone()
}

/// A valid POST payments body with `fields` over it.
fn payment_body(fields: Value) -> Value {
    let body = json!({
        "clientPaymentId": "order-1",
        "locale": "en-US",
        "displayCurrency": "EUR",
        "displayAmount": "100.00",
    });
    over(body, fields)
}

/// A body with `fields` over it; `null` removes a field.
fn over(mut body: Value, fields: Value) -> Value {
    let (Value::Object(all), Value::Object(fields)) = (&mut body, fields) else { panic!("objects") };
    for (name, value) in fields {
        if value.is_null() {
            all.remove(&name);
        } else {
            all.insert(name, value);
        }
    }
    body
}

impl Answer {
    fn payment_id(&self) -> String {
        self.json["paymentInfo"]["paymentId"].as_str().unwrap().to_owned()
    }

    fn session_token(&self) -> String {
        let url = self.json["paymentUrl"].as_str().unwrap();
        let (_, query) = url.split_once("?sessionToken=").unwrap();
        query.split('&').next().unwrap().to_owned()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns the sorted pointers and codes of the errors.
    fn errors(&self) -> Vec<(String, String)> {
        let errors = self.json["errors"].as_array().cloned().unwrap_or_default();
        let text = |error: &Value, name: &str| error[name].as_str().unwrap().to_owned();
        let mut errors: Vec<_> =
            errors.iter().map(|error| (text(error, "pointer"), text(error, "code"))).collect();
        errors.sort();
        errors
    }

    /// Checks that every error is a problem, and that every answer has its request id and the time.
    fn check_problem(&self) {
        let id = self.header("x-request-id").expect("every answer has an id");
        self.header("x-server-time").expect("every answer has the time").parse::<u64>().unwrap();
        if self.status.is_client_error() || self.status.is_server_error() {
            if self.header("content-type") == Some("text/html; charset=utf-8") {
                return; // A person sees it.
            }
            assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
            assert_eq!(self.json["status"], self.status.as_u16(), "{self:?}");
            for field in ["type", "title", "detail", "code"] {
                assert!(self.json[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {self:?}");
            }
            assert!(self.json["requestId"] == id, "{self:?}");
        }
    }
}
