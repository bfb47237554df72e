//! Sessions end, and no other site can use one.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_domain::access::operator::{IDLE, LONGEST, Role};
use checkout_gateway::service::access::operators::{self, Changes};
use serde_json::json;

use super::{CLIENT, Desk, PASSWORD, Session, name, session};

const CURRENCIES: &str = "/desk/gateway/api/v1/currencies";

async fn is_open(desk: &Desk, session: &Session) -> bool {
    let status = desk.get(session, CURRENCIES).await.status;
    assert!(status == StatusCode::OK || status == StatusCode::UNAUTHORIZED, "{status}");
    status == StatusCode::OK
}

#[tokio::test]
async fn a_session_ends() {
    let desk = Desk::new().await;
    let key = desk.add("anna", Role::Viewer, None).await;
    let sign_in = async || {
        desk.world.advance(60).await;
        session(&desk.sign_in("anna", PASSWORD, &desk.code(&key)).await)
    };
    let clock = &desk.world.app.clock;
    let pass = async |seconds: u64| desk.world.advance(seconds).await;

    let idle = sign_in().await;
    pass(IDLE - 1).await;
    assert!(is_open(&desk, &idle).await);
    pass(IDLE).await;
    assert!(!is_open(&desk, &idle).await, "after half an hour without a request");

    let (long, began) = (sign_in().await, clock.now());
    while clock.now() + IDLE / 2 < began + LONGEST {
        assert!(is_open(&desk, &long).await);
        pass(IDLE / 2).await;
    }
    pass(began + LONGEST - clock.now()).await;
    assert!(!is_open(&desk, &long).await, "after twelve hours");

    let ended = sign_in().await;
    let answer = desk.call(Some(&ended), Method::DELETE, "/desk/session", None).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert!(answer.header("set-cookie").unwrap().starts_with("__Host-desk=; Max-Age=0;"));
    assert!(!is_open(&desk, &ended).await, "signed out, although the cookie was kept");

    let store = &desk.world.database;
    for change in [
        Changes { role: Some(Role::Support), ..Changes::default() },
        Changes { is_disabled: Some(true), ..Changes::default() },
    ] {
        let open = sign_in().await;
        operators::change(store, &name("anna"), change, 0).await.unwrap();
        assert!(!is_open(&desk, &open).await, "{change:?}");
    }
}

/// Cookies go along with requests of other sites in old browsers, and from other pages of this machine.
#[tokio::test]
async fn another_site_can_neither_read_nor_write() {
    let desk = Desk::new().await;
    let signed_in = desk.signed_in("anna", Role::Manager).await;
    let other = desk.signed_in("bert", Role::Manager).await;
    let mut watch = desk.world.watch().await;
    let id = desk.world.business.id.to_string();
    let body = json!({"businessId": id, "clientAddressId": "a-1", "currency": "ETH", "network": "ETH",
        "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let own = ("origin", "https://desk.test");
    let token = ("x-csrf-token", signed_in.csrf_token.as_str());
    let foreign = ("x-csrf-token", other.csrf_token.as_str());
    for (host, headers, expected) in [
        ("desk.test", &[own][..], Some("csrf")),
        ("desk.test", &[own, ("x-csrf-token", "")], Some("csrf")),
        ("desk.test", &[own, foreign], Some("csrf")),
        ("desk.test", &[], Some("csrf")),
        ("desk.test", &[("origin", "https://evil.test"), token], Some("cross_origin")),
        ("desk.test", &[("origin", "http://desk.test"), token], Some("cross_origin")),
        ("desk.test", &[("origin", "null"), token], Some("cross_origin")),
        ("desk.test", &[("sec-fetch-site", "cross-site"), token], Some("cross_origin")),
        ("desk.test", &[("sec-fetch-site", "same-site"), token], Some("cross_origin")),
        ("evil.test", &[("origin", "http://evil.test"), token], Some("unknown_host")),
        ("desk.test", &[own, token], None),
    ] {
        for method in [Method::POST, Method::GET] {
            let mut request = Request::builder().method(&method).uri("/desk/gateway/whitelist-addresses");
            request = request.header("host", host).header("cookie", &signed_in.cookie);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.header("content-type", "application/json");
            let sent = if method == Method::POST { body.to_string() } else { String::new() };
            let answer = desk.send(request.body(Body::from(sent)).unwrap(), CLIENT).await;
            let code = answer.json["code"].as_str();
            match expected {
                Some("csrf") if method == Method::GET => {
                    assert_eq!(answer.status, 422, "{headers:?}: read only");
                }
                Some(expected) => {
                    assert_eq!((answer.status.as_u16(), code), (403, Some(expected)), "{method} {headers:?}");
                    let now = watch.now().await;
                    watch.assert_same(now, "a refused request");
                }
                None if method == Method::POST => assert_eq!(answer.status, 201, "{}", answer.json),
                None => {}
            }
        }
    }
}
