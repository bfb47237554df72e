//! Sign-on by a proxy of the merchant: a header that only the proxy may send.

use axum::body::Body;
use axum::http::{HeaderName, Method, Request};
use checkout_domain::access::operator::{Operator, Role};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::http::desk::{DeskPolicy, Proxy};
use checkout_gateway::service::access::operators::{self, Means};

use super::{CLIENT, Desk, PASSWORD, address, name, session, settings};
use crate::Answer;

const PROXY: &str = "10.0.0.1:4711";

async fn desk(takes_passwords: bool) -> Desk {
    let header = HeaderName::from_static("x-forwarded-user");
    let proxy = Some(Proxy { header, addresses: vec![address("10.0.0.1")] });
    let desk = Desk::with(DeskPolicy { takes_passwords, proxy, ..settings() }).await;
    let id = desk.world.app.new_id();
    let anna = Operator {
        id,
        name: name("anna"),
        role: Role::Viewer,
        business: None,
        is_disabled: false,
        created_at: 0,
    };
    operators::add(&desk.world.database, &anna, Means::Proxy, &OsRandom).await.unwrap().unwrap();
    desk
}

async fn call(
    desk: &Desk,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    peer: &str,
    body: &str,
) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    desk.send(request.body(Body::from(body.to_owned())).unwrap(), peer).await
}

#[tokio::test]
async fn the_header_counts_from_the_proxy_only() {
    let desk = desk(false).await;
    let user = |name| ("x-forwarded-user", name);
    for (headers, peer, expected) in [
        (&[user("anna")][..], CLIENT, "not_named"),
        (&[user("anna")], "10.0.0.2:1", "not_named"),
        (&[user("anna"), ("x-forwarded-for", "10.0.0.1")], CLIENT, "not_named"),
        (&[], PROXY, "not_named"),
        (&[user("anna"), user("root")], PROXY, "not_named"),
        (&[user("")], PROXY, "not_named"),
        (&[user("nobody")], PROXY, "sign_in_failed"),
        (&[user("Anna")], PROXY, ""),
        (&[user("anna")], "[::ffff:10.0.0.1]:9", ""),
    ] {
        let answer = call(&desk, Method::POST, "/desk/session", headers, peer, "{}").await;
        assert_eq!(answer.json["code"].as_str().unwrap_or_default(), expected, "{headers:?} {peer}");
        assert_eq!(answer.status.is_success(), expected.is_empty());
    }
}

/// Who is signed out at the proxy, or is somebody else there, is so at the desk.
#[tokio::test]
async fn the_proxy_decides_at_every_request() {
    let desk = desk(false).await;
    let signed_in =
        call(&desk, Method::POST, "/desk/session", &[("x-forwarded-user", "anna")], PROXY, "{}").await;
    let cookie = session(&signed_in).cookie;
    for (headers, peer, expected) in [
        (&[("x-forwarded-user", "anna")][..], PROXY, 200),
        (&[("x-forwarded-user", "bert")], PROXY, 401),
        (&[], PROXY, 401),
        (&[("x-forwarded-user", "anna")], CLIENT, 401),
    ] {
        let headers = [headers, &[("cookie", cookie.as_str())]].concat();
        let answer = call(&desk, Method::GET, "/desk/gateway/api/v1/currencies", &headers, peer, "").await;
        assert_eq!(answer.status.as_u16(), expected, "{headers:?} {peer}");
    }
}

#[tokio::test]
async fn passwords_work_beside_a_proxy_only_if_asked_for() {
    for takes_passwords in [false, true] {
        let desk = desk(takes_passwords).await;
        let key = desk.add("bert", Role::Viewer, None).await;
        let answer = desk.sign_in("bert", PASSWORD, &desk.code(&key)).await;
        assert_eq!(answer.status.as_u16(), if takes_passwords { 200 } else { 401 }, "{}", answer.json);
        let answer = desk.sign_in("anna", PASSWORD, &desk.code(&key)).await;
        assert_eq!(answer.status, 401, "who has no password does not sign in with one");
        let answer =
            call(&desk, Method::POST, "/desk/session", &[("x-forwarded-user", "anna")], PROXY, "{}").await;
        assert_eq!(answer.status, 200);
    }
}
