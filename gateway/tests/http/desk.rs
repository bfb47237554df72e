//! The desk: who gets in, what each role may do, what is noted.

mod accepted;
mod audit;
mod decisions;
mod proxy;
mod roles;
mod sessions;
mod sign_in;
mod two_people;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode, header};
use checkout_core::Decimal;
use checkout_domain::access::operator::{Name, Operator, Role};
use checkout_domain::ids::BusinessId;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::http::desk::{DeskPolicy, router};
use checkout_gateway::service::access::operators::{self, Means};
use checkout_gateway::service::access::passwords::code_at;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{Answer, World};

const PASSWORD: &str = "correct horse battery";

const CLIENT: &str = "203.0.113.7:4711";

/// A desk beside the gateway of a world.
struct Desk {
    world: World,
    router: Router,
}

/// The browser of an operator who is signed in.
struct Session {
    cookie: String,
    csrf_token: String,
}

fn settings() -> DeskPolicy {
    DeskPolicy {
        public_url: "https://desk.test".to_owned(),
        takes_passwords: true,
        proxy: None,
        support_refund_limit: Decimal::ONE_HUNDRED,
    }
}

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

impl Desk {
    async fn new() -> Self {
        Self::with(settings()).await
    }

    async fn with(settings: DeskPolicy) -> Self {
        let world = World::new().await;
        let router = router(Arc::clone(&world.app), settings);
        Self { world, router }
    }

    /// Adds an operator and returns the key of the codes.
    async fn add(&self, text: &str, role: Role, business: Option<BusinessId>) -> String {
        let (id, now) = (self.world.app.new_id(), self.world.app.clock.now());
        let operator = Operator { id, name: name(text), role, business, is_disabled: false, created_at: now };
        let means = Means::Password(Some(PASSWORD.to_owned()));
        let made = operators::add(&self.world.database, &operator, means, &OsRandom).await.unwrap();
        let link = made.unwrap().unwrap().link;
        link.split("secret=").nth(1).unwrap().split('&').next().unwrap().to_owned()
    }

    fn code(&self, key: &str) -> String {
        code_at(key, self.world.app.clock.now()).unwrap()
    }

    async fn sign_in(&self, name: &str, password: &str, code: &str) -> Answer {
        let body = json!({"name": name, "password": password, "code": code});
        self.call(None, Method::POST, "/desk/session", Some(&body)).await
    }

    /// Adds an operator and signs in.
    async fn signed_in(&self, name: &str, role: Role) -> Session {
        let key = self.add(name, role, None).await;
        session(&self.sign_in(name, PASSWORD, &self.code(&key)).await)
    }

    /// Calls as the desk's page does.
    async fn call(
        &self,
        session: Option<&Session>,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("host", "desk.test");
        request = request.header("origin", "https://desk.test").header("sec-fetch-site", "same-origin");
        if let Some(session) = session {
            request = request.header("cookie", &session.cookie).header("x-csrf-token", &session.csrf_token);
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.send(request.body(body).unwrap(), CLIENT).await
    }

    async fn send(&self, mut request: Request<Body>, client: &str) -> Answer {
        let client: SocketAddr = client.parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(client));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        // A wrong length breaks the connection.
        let length =
            parts.headers.get(header::CONTENT_LENGTH).map(|length| length.to_str().unwrap().to_owned());
        assert!(length.is_none_or(|length| length == bytes.len().to_string()), "{:?}", parts.headers);
        let answer = Answer { status: parts.status, headers: parts.headers, bytes, json };
        answer.check_problem();
        answer
    }

    async fn get(&self, session: &Session, path: &str) -> Answer {
        self.call(Some(session), Method::GET, path, None).await
    }

    async fn audit(&self) -> Vec<(String, String, String)> {
        let page = checkout_domain::page::Page { after: None, before: None, descending: false, limit: 100 };
        let entries = self.world.app.store.audit(&page).await.unwrap();
        entries.into_iter().map(|entry| (entry.operator, entry.action, entry.outcome)).collect()
    }
}

/// The session of an answer to a sign-in.
#[track_caller]
fn session(answer: &Answer) -> Session {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    Session { cookie, csrf_token: answer.json["operator"]["csrfToken"].as_str().unwrap().to_owned() }
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}
