use checkout_domain::access::actor::Actor;
use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::access::session::Session;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::credentials::{CredentialStore as _, Known};
use uuid::Uuid;

use super::stage::{NOW, Stage};

async fn put(stage: &Stage, token: &str, caller: Caller, now: u64) -> TokenHash {
    put_scoped(stage, token, caller, Scopes::EVERYTHING, now).await
}

async fn put_scoped(stage: &Stage, token: &str, caller: Caller, scopes: Scopes, now: u64) -> TokenHash {
    let hash = TokenHash::of(token);
    let mut tx = stage.begin().await;
    match caller {
        Caller::Session { payment } => tx.put_session(&hash, payment, now).await.unwrap(),
        _ => tx.put_credential(&hash, caller, scopes, now).await.unwrap(),
    }
    tx.commit().await.unwrap();
    hash
}

pub(super) async fn callers(stage: &Stage) {
    let payment = stage.stored("order").await;
    let session = Session { window_end: payment.window_end(), settled_at: None, kept_until: None };
    for (token, caller, expected) in [
        ("org", Caller::Organisation, None),
        ("biz", Caller::Business(stage.business.id), None),
        ("payer", Caller::Session { payment: payment.id }, Some(session)),
    ] {
        let hash = put(stage, token, caller, NOW).await;
        let expected = Known { caller, scopes: Scopes::EVERYTHING, session: expected };
        assert_eq!(stage.store.caller(&hash, NOW).await.unwrap(), Some(expected), "{token}");
    }
    assert_eq!(stage.store.caller(&TokenHash::of("nobody"), NOW).await.unwrap(), None);
    let mut tx = stage.begin().await;
    assert!(
        tx.put_session(&TokenHash::of("lost"), PaymentId(Uuid::nil()), NOW).await.is_err(),
        "a session of nothing"
    );
}

pub(super) async fn revoked(stage: &Stage) {
    let caller = Caller::Business(stage.business.id);
    let (one, two) = (put(stage, "one", caller, NOW).await, put(stage, "two", caller, NOW).await);
    let others = put(stage, "others", Caller::Business(stage.other.id), NOW).await;
    let is_known = async |hash: &TokenHash, now| stage.store.caller(hash, now).await.unwrap().is_some();
    let mut tx = stage.begin().await;
    assert_eq!(tx.end_tokens(&one.as_str()[..12], NOW + 10).await.unwrap(), 1);
    assert_eq!(tx.end_tokens("ffffffffffffffffffff", NOW).await.unwrap(), 0);
    tx.commit().await.unwrap();
    assert!(is_known(&one, NOW + 9).await && !is_known(&one, NOW + 10).await);

    let mut tx = stage.begin().await;
    tx.end_tokens_of(stage.business.id, None, NOW + 20).await.unwrap();
    tx.commit().await.unwrap();
    assert!(!is_known(&one, NOW + 15).await, "an earlier expiry stays");
    assert!(is_known(&two, NOW + 19).await && !is_known(&two, NOW + 20).await);
    assert!(is_known(&others, NOW + 20).await);

    let mut tx = stage.begin().await;
    assert_eq!(tx.end_tokens(&one.as_str()[..12], NOW + 15).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert!(!is_known(&one, NOW + 12).await, "revoking again does not extend it");
    put(stage, "one", caller, NOW).await;
    assert!(is_known(&one, NOW + 99).await, "a token that is added again is valid again");
}

pub(super) async fn listed(stage: &Stage) {
    let payment = stage.stored("order").await;
    let session = Caller::Session { payment: payment.id };
    put(stage, "late", Caller::Business(stage.business.id), NOW + 1).await;
    put(stage, "early", Caller::Organisation, NOW).await;
    put(stage, "others", Caller::Business(stage.other.id), NOW + 2).await;
    put(stage, "payer", session, NOW).await;
    let callers = async |business| {
        let all = stage.store.credentials(business).await.unwrap();
        all.into_iter().map(|credential| (credential.caller, credential.created_at)).collect::<Vec<_>>()
    };
    let (own, others) = (Caller::Business(stage.business.id), Caller::Business(stage.other.id));
    assert_eq!(callers(None).await, [(Caller::Organisation, NOW), (own, NOW + 1), (others, NOW + 2)]);
    assert_eq!(callers(Some(stage.business.id)).await, [(own, NOW + 1)]);
    let sessions = stage.store.sessions(payment.id).await.unwrap();
    assert_eq!(sessions.len(), 1);
    assert_eq!((sessions[0].caller, sessions[0].ends_at), (session, None));
}

pub(super) async fn scoped(stage: &Stage) {
    let caller = Caller::Business(stage.business.id);
    let (shop, desk) = (Scopes::of(&[Scope::Payments, Scope::Read]), Scopes::of(&[Scope::Withdrawals]));
    let mut hashes = Vec::new();
    for (token, scopes) in [("shop", shop), ("desk", desk), ("owner", Scopes::EVERYTHING)] {
        let hash = put_scoped(stage, token, caller, scopes, NOW).await;
        let known = stage.store.caller(&hash, NOW).await.unwrap();
        assert_eq!(known, Some(Known { caller, scopes, session: None }), "{token}");
        hashes.push(hash);
    }
    let mut listed: Vec<_> = stage.store.credentials(Some(stage.business.id)).await.unwrap();
    listed.sort_by_key(|credential| hashes.iter().position(|hash| *hash == credential.token));
    let scopes: Vec<_> = listed.iter().map(|credential| credential.scopes).collect();
    assert_eq!(scopes, [shop, desk, Scopes::EVERYTHING]);
    for (ended, expected) in [
        (Some(desk), [true, false, true]),
        (Some(Scopes::EVERYTHING), [true, false, false]),
        (None, [false; 3]),
    ] {
        let mut tx = stage.begin().await;
        tx.end_tokens_of(stage.business.id, ended, NOW + 10).await.unwrap();
        tx.commit().await.unwrap();
        for (hash, expected) in hashes.iter().zip(expected) {
            let known = stage.store.caller(hash, NOW + 10).await.unwrap();
            assert_eq!(known.is_some(), expected, "{ended:?}");
        }
    }
}

/// Who made a token is known by the handle of the token.
pub(super) async fn made(stage: &Stage) {
    let caller = Caller::Business(stage.business.id);
    let anna = Actor::Operator(Uuid::nil());
    let made = put(stage, "made", caller, NOW).await;
    put(stage, "typed", caller, NOW).await;
    let mut tx = stage.begin().await;
    tx.put_maker(&made, &anna).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    for (actor, expected) in [
        (Actor::of_token("made"), Some(&anna)),
        (Actor::of_token("typed"), None),
        (Actor::of_token("nobody"), None),
        (anna.clone(), None),
        (Actor::CommandLine, None),
    ] {
        assert_eq!(tx.maker(&actor).await.unwrap().as_ref(), expected, "{actor}");
    }
}
