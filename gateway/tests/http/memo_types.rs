//! `memoType`: a memo on XLM that its text alone does not describe.

use axum::http::StatusCode;
use checkout_core::tag::Tag;
use checkout_domain::chain::kept_tag;
use checkout_domain::withdrawal::rules::RuleChanges;
use serde_json::{Value, json};
use uuid::Uuid;

use super::fixture::change_rules;
use super::merchant_refund_stage::world;
use super::{Answer, World, over};

const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const HASH: &str = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";

async fn withdraw(world: &World, fields: Value) -> Answer {
    let body = json!({
        "clientWithdrawalId": Uuid::new_v4().to_string(), "withdrawCurrency": "XLM", "network": "XLM", "recipientAddress": XLM,
        "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "100",
    });
    world.post("/api/v1/withdrawals", &world.token, &over(body, fields)).await
}

/// The memo that is sent.
async fn memo(world: &World, made: &Answer) -> Option<Tag> {
    let id: Uuid = made.json["withdrawId"].as_str().unwrap().parse().unwrap();
    let stored = world.app.store.begin().await.unwrap().withdrawal(id).await.unwrap().unwrap();
    stored.tag.as_deref().and_then(kept_tag::memo)
}

#[tokio::test]
async fn a_withdrawal_has_the_memo_that_was_asked_for() {
    let world = world().await;
    let text = |text: &str| Some(Tag::MemoText(text.to_owned()));
    let hash = Some(Tag::MemoHash(std::array::from_fn(|at| u8::try_from(at + 1).unwrap())));
    for (fields, sent, told) in [
        (json!({"destinationTag": "7"}), Some(Tag::MemoId(7)), None),
        (json!({"destinationTag": "order 7"}), text("order 7"), None),
        (json!({"destinationTag": "0"}), None, None),
        (json!({"destinationTag": "7", "memoType": "id"}), Some(Tag::MemoId(7)), None),
        (json!({"destinationTag": "7", "memoType": "text"}), text("7"), Some("text")),
        (json!({"destinationTag": 7, "memoType": "text"}), text("7"), Some("text")),
        (json!({"destinationTag": "0", "memoType": "text"}), text("0"), Some("text")),
        (json!({"destinationTag": "0", "memoType": "id"}), Some(Tag::MemoId(0)), None),
        (json!({"destinationTag": "order 7", "memoType": "text"}), text("order 7"), None),
        (json!({"destinationTag": HASH, "memoType": "hash"}), hash, Some("hash")),
        (json!({"recipientAddress": format!("{XLM}?dt=7"), "memoType": "text"}), text("7"), Some("text")),
    ] {
        let made = withdraw(&world, fields.clone()).await;
        assert_eq!(made.status, StatusCode::CREATED, "{fields}: {}", made.json);
        assert_eq!(memo(&world, &made).await, sent, "{fields}");
        assert_eq!(made.json["memoType"].as_str(), told, "{fields}");
        let tag = sent.map_or_else(
            || XLM.to_owned(),
            |tag| format!("{XLM}?dt={}", tag.to_string().replace(' ', "%20")),
        );
        assert_eq!(made.json["recipientAddress"], tag, "{fields}");
        let id = made.json["withdrawId"].as_str().unwrap();
        let read = world.get(&format!("/api/v1/withdrawals/{id}"), &world.token).await.json;
        assert_eq!(read["memoType"].as_str(), told, "{fields}");
    }
}

#[tokio::test]
async fn a_wrong_type_is_refused() {
    let world = world().await;
    for (fields, pointer, code) in [
        (json!({"destinationTag": "7", "memoType": "return"}), "/memoType", "unknown_value"),
        (json!({"destinationTag": "7", "memoType": "TEXT"}), "/memoType", "unknown_value"),
        (json!({"memoType": "text"}), "/memoType", "not_allowed"),
        (json!({"destinationTag": "", "memoType": "text"}), "/memoType", "not_allowed"),
        (json!({"destinationTag": "a", "memoType": "id"}), "/destinationTag", "bad_tag"),
        (json!({"destinationTag": "07", "memoType": "id"}), "/destinationTag", "bad_tag"),
        (json!({"destinationTag": "a", "memoType": "hash"}), "/destinationTag", "bad_tag"),
        (json!({"destinationTag": "a".repeat(29), "memoType": "text"}), "/destinationTag", "bad_tag"),
        (json!({"destinationTag": "\u{2}7"}), "/destinationTag", "control_character"),
        (
            json!({"withdrawCurrency": "XRP", "network": "XRP", "recipientAddress": "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
                "destinationTag": "7", "memoType": "text"}),
            "/memoType",
            "not_allowed",
        ),
    ] {
        let refused = withdraw(&world, fields.clone()).await;
        assert_eq!(refused.errors(), [(pointer.to_owned(), code.to_owned())], "{fields}: {}", refused.json);
    }
    let id = json!({"clientWithdrawalId": "w", "destinationTag": "7"});
    assert_eq!(withdraw(&world, id.clone()).await.status, StatusCode::CREATED);
    assert_eq!(withdraw(&world, over(id.clone(), json!({"memoType": "id"}))).await.status, StatusCode::OK);
    assert_eq!(withdraw(&world, over(id, json!({"memoType": "text"}))).await.status, StatusCode::CONFLICT);
}

/// An address is whitelisted with its memo and the type of that.
#[tokio::test]
async fn the_whitelist_tells_types_apart() {
    let world = world().await;
    let entry = json!({
        "clientAddressId": "a", "currency": "XLM", "network": "XLM", "address": XLM, "destinationTag": "7", "memoType": "text",
    });
    let made = world.post("/whitelist-addresses", &world.token, &entry).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    assert_eq!((&made.json["destinationTag"], &made.json["memoType"]), (&json!("7"), &json!("text")));
    let id = over(entry.clone(), json!({"memoType": "id"}));
    assert_eq!(world.post("/whitelist-addresses", &world.token, &id).await.status, StatusCode::CONFLICT);
    let again = world.post("/whitelist-addresses", &world.token, &entry).await;
    assert_eq!((again.status, &again.json), (StatusCode::OK, &made.json));
    let listed = world.get("/whitelist-addresses", &world.token).await.json;
    assert_eq!(listed, json!([made.json]));

    let only = RuleChanges { whitelist_only: Some(true), ..RuleChanges::default() };
    change_rules(world.app.store.as_ref(), world.business.id, only).await.unwrap();
    world.advance(25 * 3600).await;
    let withdraw =
        async |memo_type: &str| withdraw(&world, json!({"destinationTag": "7", "memoType": memo_type})).await;
    assert_eq!(withdraw("text").await.status, StatusCode::CREATED);
    assert_eq!(
        withdraw("id").await.errors(),
        [("/recipientAddress".to_owned(), "not_whitelisted".to_owned())]
    );
}

#[tokio::test]
async fn a_refund_has_the_memo_that_was_asked_for() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "XLM", "XLM").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("XLM").await;
    let to = json!({"clientRefundId": "r", "address": XLM, "destinationTag": "7", "memoType": "text"});
    let made = world.refund(&id, to.clone()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    assert_eq!(
        (&made.json["address"], &made.json["memoType"]),
        (&json!(format!("{XLM}?dt=7")), &json!("text"))
    );
    assert_eq!(world.refund(&id, to.clone()).await.status, StatusCode::OK);
    let other = over(to, json!({"memoType": null}));
    assert_eq!(world.refund(&id, other).await.status, StatusCode::CONFLICT);
    let wrong = json!({"clientRefundId": "s", "memoType": "text"});
    assert_eq!(world.refund(&id, wrong).await.errors(), [("/address".to_owned(), "required".to_owned())]);
}
