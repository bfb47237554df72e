//! Tokens and secrets are created, rotated and revoked.

use axum::http::Method;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::callback::signature;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials::{
    Revoked, create, revoke, rotate_secret, rotate_token,
};
use serde_json::json;

use super::callbacks::{deliver, world as world_with_callbacks};
use super::inbox::Inbox;
use super::{START, World, payment_body};

const DAY: u64 = 86_400;

async fn made(world: &World, caller: Caller) -> String {
    create(&world.database, caller, Scopes::EVERYTHING, START, &OsRandom).await.unwrap().unwrap()
}

async fn revoked(world: &World, handle: &str) -> Revoked {
    revoke(&world.database, handle, world.app.clock.now()).await.unwrap()
}

fn handle(token: &str) -> String {
    TokenHash::of(token).handle().to_owned()
}

/// Each kind works on all its routes until it is revoked, and on none afterwards.
#[tokio::test]
async fn a_revoked_token_has_no_access() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let (id, business) = (created.payment_id(), world.business.id);
    let payment: PaymentId = id.parse().unwrap();
    let body = payment_body(json!({"businessId": business.to_string()}));
    let choice = json!({"depositCurrency": "BTC"});
    let routes = [
        (Method::POST, "/api/v1/payments".to_owned(), Some(&body)),
        (Method::GET, format!("/api/v1/payments/{id}"), None),
        (Method::PATCH, format!("/api/v1/payments/{id}"), Some(&choice)),
        (Method::GET, format!("/api/v1/checkout/{id}"), None),
        (Method::GET, format!("/api/v1/businesses/{business}"), None),
    ];
    for (caller, before) in [
        (Caller::Organisation, [200, 200, 200, 200, 200]),
        (Caller::Business(business), [200, 200, 200, 200, 200]),
        (Caller::Session { payment }, [404, 200, 200, 200, 404]),
    ] {
        let (token, other) = (made(&world, caller).await, made(&world, caller).await);
        let check = async |token: &str, expected: [u16; 5]| {
            for ((method, path, body), status) in routes.iter().zip(expected) {
                let answer = world.call(method.clone(), path, Some(token), *body).await;
                assert_eq!(answer.status, status, "{caller:?} {method} {path}: {}", answer.json);
            }
        };
        check(&token, before).await;
        assert_eq!(revoked(&world, &handle(&token)).await, Revoked::Done);
        check(&token, [401; 5]).await;
        check(&other, before).await;
    }
    assert_eq!(revoked(&world, &handle(&created.session_token())).await, Revoked::Done);
    let again = world.create(json!({})).await;
    assert_eq!(again.session_token(), created.session_token());
    let path = format!("/api/v1/payments/{id}");
    assert_eq!(world.get(&path, &again.session_token()).await.status, 401, "a replay does not restore it");
}

#[tokio::test]
async fn a_handle_must_be_unambiguous() {
    let world = World::new().await;
    let token = made(&world, Caller::Organisation).await;
    let handle = handle(&token);
    for wrong in ["", "%", "________", &handle[..7], "ABCDEFAB", "zzzzzzzz", &token] {
        assert_eq!(revoked(&world, wrong).await, Revoked::Unknown, "{wrong:?}");
    }
    let path = format!("/api/v1/businesses/{}", world.business.id);
    assert_eq!(world.get(&path, &token).await.status, 200);
    assert_eq!(revoked(&world, &handle[..8]).await, Revoked::Done);
    assert_eq!(world.get(&path, &token).await.status, 401);
}

#[tokio::test]
async fn tokens_are_listed_without_their_text() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let payment: PaymentId = created.payment_id().parse().unwrap();
    let (key, session) =
        (made(&world, Caller::Organisation).await, made(&world, Caller::Session { payment }).await);
    revoked(&world, &handle(&key)).await;
    let all = world.database.credentials(None).await.unwrap();
    let find = |token: &str| all.iter().find(|one| one.token == TokenHash::of(token)).unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!((find(&key).caller, find(&key).ends_at), (Caller::Organisation, Some(START)));
    let own = find(&world.token);
    assert_eq!((own.caller, own.created_at, own.ends_at), (Caller::Business(world.business.id), START, None));
    assert_eq!(world.database.credentials(Some(world.business.id)).await.unwrap(), std::slice::from_ref(own));
    let sessions = world.database.sessions(payment).await.unwrap();
    let mut hashes: Vec<_> = sessions.iter().map(|one| one.token.as_str().to_owned()).collect();
    let mut expected = [TokenHash::of(&session), TokenHash::of(&created.session_token())]
        .map(|hash| hash.as_str().to_owned());
    hashes.sort();
    expected.sort();
    assert_eq!(hashes, expected);
}

#[tokio::test]
async fn no_token_is_created_for_a_missing_object() {
    let world = World::new().await;
    let id = world.app.new_id();
    for caller in [Caller::Business(BusinessId(id)), Caller::Session { payment: PaymentId(id) }] {
        assert_eq!(
            create(&world.database, caller, Scopes::EVERYTHING, START, &OsRandom).await.unwrap(),
            None,
            "{caller:?}"
        );
    }
    assert_eq!(
        rotate_token(&world.database, BusinessId(id), Scopes::EVERYTHING, START, 0, &OsRandom, None)
            .await
            .unwrap(),
        None
    );
    assert_eq!(rotate_secret(&world.database, BusinessId(id), START, 0, &OsRandom).await.unwrap(), None);
}

#[tokio::test]
async fn token_rotation() {
    let world = World::new().await;
    let path = format!("/api/v1/businesses/{}", world.business.id);
    let status = async |token: &str| world.get(&path, token).await.status.as_u16();
    let rotate = async |overlap| {
        let now = world.app.clock.now();
        let rotated = rotate_token(
            &world.database,
            world.business.id,
            Scopes::EVERYTHING,
            now,
            overlap,
            &OsRandom,
            None,
        )
        .await;
        rotated.unwrap().unwrap()
    };
    let second = rotate(DAY).await;
    assert_eq!((status(&world.token).await, status(&second).await), (200, 200));
    world.advance(DAY - 1).await;
    assert_eq!((status(&world.token).await, status(&second).await), (200, 200));
    world.advance(1).await;
    assert_eq!((status(&world.token).await, status(&second).await), (401, 200));
    let third = rotate(0).await;
    assert_eq!((status(&second).await, status(&third).await), (401, 200));
    rotate(DAY).await;
    assert_eq!(status(&second).await, 401, "a rotation restores no expired token");
}

/// For a day, callbacks carry a signature of each secret, the new one first.
#[tokio::test]
async fn secret_rotation() {
    let inbox = Inbox::open();
    let world = world_with_callbacks(&inbox).await;
    let old = world.business.callback_secret.clone();
    let rotate = async || {
        let (now, id) = (world.app.clock.now(), world.business.id);
        rotate_secret(&world.database, id, now, DAY, &OsRandom).await.unwrap().unwrap()
    };
    let check = async |order: &str, secrets: &[&str]| {
        let (id, _) = world.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
        world.pay(&id, "0.001").await;
        deliver(&world).await;
        let received = inbox.received().pop().unwrap();
        let (id, now) = (received.header("webhook-id"), world.app.clock.now());
        let expected = signature::header(secrets.iter().copied(), id, now, &received.body);
        assert_eq!(received.header("webhook-signature"), expected, "{order}");
    };
    check("before", &[&old]).await;
    let second = rotate().await;
    check("just after", &[&second, &old]).await;
    world.advance(DAY / 2).await;
    let third = rotate().await;
    check("two in a day", &[&third, &second, &old]).await;
    world.advance(DAY / 2).await;
    check("a day after the first", &[&third, &second]).await;
    world.advance(DAY / 2).await;
    check("a day after the second", &[&third]).await;
}
