//! Tokens with scopes on every route that needs a token: a shop's token cannot empty a balance.

use std::collections::BTreeSet;

use axum::http::Method;
use checkout_domain::access::scope::Scope::{self, Payments, Read, Withdrawals};
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::Caller;
use checkout_domain::business::settings::Settings;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials::{create, rotate_token};
use serde_json::{Value, json};

use super::contract::operation_id;
use super::{START, World, over, payment_body};
use crate::document;
use crate::fixture::Look as _;

const ETH: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Only organisation keys have access; others get 404.
const MANAGED: [&str; 11] = [
    "listBusinesses",
    "createBusiness",
    "updateBusiness",
    "rotateToken",
    "rotateSecret",
    "testCallback",
    "approveWithdrawal",
    "rejectWithdrawal",
    "cancelWithdrawal",
    "releaseDeposit",
    "refuseDeposit",
];

async fn token(world: &World, caller: Caller, scopes: &[Scope]) -> String {
    let made = create(&world.database, caller, Scopes::of(scopes), START, &OsRandom).await;
    made.unwrap().unwrap()
}

fn withdrawal(world: &World) -> Value {
    json!({
        "businessId": world.business.id.to_string(), "clientWithdrawalId": "w-1", "withdrawCurrency": "ETH",
        "recipientAddress": ETH, "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02",
        "withdrawalAccount": "FIAT",
    })
}

#[tokio::test]
async fn every_scope_on_every_route() {
    let url = "http://127.0.0.1:1/".to_owned();
    let world = World::with(Settings {
        deposit_callback: Some(url),
        refund_follow_ups: Some(true),
        ..Settings::default()
    })
    .await;
    world.deposit("rich", "1000.00").await;
    let id = world.create(json!({"clientPaymentId": "open"})).await.payment_id();
    let business = world.business.id;
    let payments = format!("/api/v1/payments?businessId={business}");
    let payment = format!("/api/v1/payments/{id}");
    let checkout = format!("/api/v1/checkout/{id}");
    let deposits = format!("{payment}/deposits");
    let settings = format!("/api/v1/businesses/{business}");
    let list = format!("/whitelist-addresses?businessId={business}");
    let new = payment_body(json!({"clientPaymentId": "new", "businessId": business.to_string()}));
    let choice = json!({"depositCurrency": "BTC"});
    let address = json!({
        "businessId": business.to_string(), "clientAddressId": "a-1", "currency": "ETH", "network": "ETH", "address": ETH,
    });
    let withdrawal = withdrawal(&world);
    let withdrawals = format!("/api/v1/withdrawals?businessId={business}");
    let withdrawn = world.withdraw(json!({"clientWithdrawalId": "w-0"})).await.json;
    let withdrawn = format!("/api/v1/withdrawals/{}", withdrawn["withdrawId"].as_str().unwrap());
    let [approvable, rejectable] =
        [world.unapproved_withdrawal("w-2").await, world.unapproved_withdrawal("w-3").await];
    let cancel_withdrawal =
        format!("/api/v1/withdrawals/{}/cancel", world.unapproved_withdrawal("w-4").await);
    let approve = format!("/api/v1/withdrawals/{approvable}/approve");
    let reject = format!("/api/v1/withdrawals/{rejectable}/reject");
    let quotes = format!("{payment}/quotes");
    let [releasable, refusable] = [world.held_deposit("held-1").await, world.held_deposit("held-2").await];
    let release = format!("/api/v1/deposits/{releasable}/release");
    let refuse = format!("/api/v1/deposits/{refusable}/refuse");
    let balances = format!("/api/v1/balances?businessId={business}");
    let cancelled = world.create(json!({"clientPaymentId": "cancelled"})).await;
    let cancel = format!("/api/v1/payments/{}/cancel", cancelled.payment_id());
    let accept = format!("/api/v1/payments/{}/accept", world.partly_paid("accepted").await);
    let all_deposits = format!("/api/v1/deposits?businessId={business}");
    let ledger = format!("/api/v1/ledger?businessId={business}");
    let callbacks = format!("/api/v1/callbacks?businessId={business}");
    let sale_links = format!("/api/v1/sale-links?businessId={business}");
    let new_link = json!({
        "businessId": business.to_string(), "clientLinkId": "l-1", "title": "Tea", "displayCurrency": "EUR", "displayAmount": "5",
    });
    let sale_link = world.sale_link(json!({"clientLinkId": "l-0"})).await.json;
    let sale_link = format!("/api/v1/sale-links/{}", sale_link["linkId"].as_str().unwrap());
    let withdraw_link = format!("{sale_link}/withdraw");
    let counters = format!("/api/v1/counters?businessId={business}");
    let new_counter = over(super::counters::body(json!({})), json!({"businessId": business.to_string()}));
    let (counter, _) = world.counter(json!({})).await;
    let withdraw_counter = format!("/api/v1/counters/{}/withdraw", counter["counterId"].as_str().unwrap());
    let sent = world.callbacks("").await;
    let resend = format!("/api/v1/callbacks/{}/resend", sent[0]["id"].as_str().unwrap());
    let paid = world.deposit("paid", "1000.00").await;
    let refund_path = format!("/api/v1/payments/{paid}/refunds");
    let refund = json!({"clientRefundId": "r-1", "amount": "0.001"});
    let refunds = format!("/api/v1/refunds?businessId={business}");
    let mut waiting = Vec::new();
    for client in ["address", "cancel"] {
        let body = json!({"clientRefundId": client, "amount": "0.001"});
        waiting.push(world.refunded(&paid, body).await["refundId"].as_str().unwrap().to_owned());
    }
    let refunded = format!("/api/v1/refunds/{}", waiting[0]);
    let addressed = format!("{refunded}/address");
    let cancelled = format!("/api/v1/refunds/{}/cancel", waiting[1]);
    let reason = json!({"reason": "no"});
    let recipient = json!({"address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"});
    let approved = format!("/api/v1/refunds/{}/approve", world.unapproved_refund().await);
    let (seen, seen_refund) = (world.seen(&approve).await, world.seen(&approved).await);
    let refuse_claim = format!("/api/v1/refunds/{}/refuse", world.asked_refund(&paid).await);
    let (named, overlap, event) =
        (json!({"name": "Third"}), json!({"overlapHours": 24}), json!({"event": "depositReceived"}));
    let rotate_token = format!("{settings}/rotate-token");
    let rotate_secret = format!("{settings}/rotate-secret");
    let test_callback = format!("{settings}/test-callback");
    let rows: [(Method, &str, Option<&Value>, &[Scope]); 45] = [
        (Method::POST, "/api/v1/payments", Some(&new), &[Payments]),
        (Method::GET, &payments, None, &[Payments, Read]),
        (Method::PATCH, &payment, Some(&choice), &[Payments]),
        (Method::GET, &payment, None, &[Payments, Read]),
        (Method::GET, &checkout, None, &[Payments, Read]),
        (Method::GET, &deposits, None, &[Payments, Read]),
        (Method::POST, &accept, None, &[Payments]),
        (Method::GET, &settings, None, &[Payments, Withdrawals, Read]),
        (Method::GET, &list, None, &[Withdrawals, Read]),
        (Method::POST, "/whitelist-addresses", Some(&address), &[Withdrawals]),
        (Method::POST, "/api/v1/withdrawals", Some(&withdrawal), &[Withdrawals]),
        (Method::GET, &withdrawals, None, &[Withdrawals, Read]),
        (Method::GET, &withdrawn, None, &[Withdrawals, Read]),
        (Method::POST, &approve, Some(&seen), &[Withdrawals]),
        (Method::POST, &reject, None, &[Withdrawals]),
        (Method::POST, &cancel_withdrawal, None, &[Withdrawals]),
        (Method::POST, &release, None, &[]),
        (Method::POST, &refuse, None, &[]),
        (Method::GET, &quotes, None, &[Payments, Read]),
        (Method::GET, &balances, None, &[Withdrawals, Read]),
        (Method::GET, &all_deposits, None, &[Payments, Read]),
        (Method::POST, &cancel, None, &[Payments]),
        (Method::GET, &ledger, None, &[Withdrawals, Read]),
        (Method::GET, &callbacks, None, &[Read]),
        (Method::POST, "/api/v1/sale-links", Some(&new_link), &[Payments]),
        (Method::GET, &sale_links, None, &[Payments, Read]),
        (Method::GET, &sale_link, None, &[Payments, Read]),
        (Method::POST, &withdraw_link, None, &[Payments]),
        (Method::POST, "/api/v1/counters", Some(&new_counter), &[Payments]),
        (Method::GET, &counters, None, &[Payments, Read]),
        (Method::POST, &withdraw_counter, None, &[Payments]),
        (Method::POST, &resend, None, &[Payments, Withdrawals]),
        (Method::POST, &refund_path, Some(&refund), &[Withdrawals]),
        (Method::GET, &refunds, None, &[Payments, Withdrawals, Read]),
        (Method::GET, &refunded, None, &[Payments, Withdrawals, Read]),
        (Method::POST, &refuse_claim, Some(&reason), &[Withdrawals]),
        (Method::POST, &addressed, Some(&recipient), &[Withdrawals]),
        (Method::POST, &approved, Some(&seen_refund), &[Withdrawals]),
        (Method::POST, &cancelled, None, &[Withdrawals]),
        (Method::GET, "/api/v1/businesses", None, &[Read]),
        (Method::POST, "/api/v1/businesses", Some(&named), &[]),
        (Method::PATCH, &settings, Some(&named), &[]),
        (Method::POST, &rotate_token, Some(&overlap), &[]),
        (Method::POST, &rotate_secret, Some(&overlap), &[]),
        (Method::POST, &test_callback, Some(&event), &[]),
    ];
    // All sets, the empty one for everything.
    for set in 0..8_usize {
        let scopes: Vec<Scope> = Scope::ALL
            .into_iter()
            .enumerate()
            .filter_map(|(bit, scope)| (set >> bit & 1 == 1).then_some(scope))
            .collect();
        for caller in [Caller::Business(business), Caller::Organisation] {
            let token = token(&world, caller, &scopes).await;
            for (method, path, body, needed) in &rows {
                let mut watch = world.watch().await;
                let answer = world.call(method.clone(), path, Some(&token), *body).await;
                let case = format!("{scopes:?} {caller:?} {method} {path}: {}", answer.json);
                let id = operation_id(method, path.split('?').next().unwrap()).unwrap();
                if MANAGED.contains(&id) && caller != Caller::Organisation {
                    assert_eq!(answer.status.as_u16(), 404, "{case}");
                    continue;
                }
                if scopes.is_empty() || scopes.iter().any(|scope| needed.contains(scope)) {
                    assert!(answer.status.is_success(), "{case}");
                    continue;
                }
                assert_eq!(
                    (answer.status.as_u16(), answer.json["code"].as_str()),
                    (403, Some("scope")),
                    "{case}"
                );
                let words: Vec<&str> = needed.iter().map(|scope| scope.as_str()).collect();
                let line = format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", words.join(" "));
                assert_eq!(answer.header("www-authenticate"), Some(&*line), "{case}");
                let now = watch.now().await;
                watch.assert_same(now, &case);
            }
        }
    }
    // A new route that needs a token must get a row.
    let covered: BTreeSet<_> = rows
        .iter()
        .filter_map(|(method, path, ..)| operation_id(method, path.split('?').next().unwrap()))
        .collect();
    for (path, item) in document(true)["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            let needs_token = operation["security"] != json!([]);
            // `auth.rs` has the routes of a session alone and of a counter.
            let others = [json!([{"sessionToken": []}]), json!([{"counterSecret": []}])];
            let has_no_scopes = others.contains(&operation["security"]);
            assert!(!needs_token || has_no_scopes || covered.contains(id), "{id} ({path}) has no row");
            assert_eq!(needs_token, operation["x-scopes"].is_array(), "{id} names its scopes");
        }
    }
}

/// Without the scope nothing is learned, either.
#[tokio::test]
async fn a_shops_token_cannot_withdraw() {
    let world = World::new().await;
    world.deposit("rich", "1000.00").await;
    let shop = token(&world, Caller::Business(world.business.id), &[Payments]).await;
    for body in [withdrawal(&world), json!({}), json!({"nonsense": 1})] {
        let answer = world.post("/api/v1/withdrawals", &shop, &body).await;
        assert_eq!((answer.status.as_u16(), answer.json["code"].as_str()), (403, Some("scope")), "{body}");
        assert_eq!(answer.json["detail"], "The token needs the scope `withdrawals`.");
    }
    assert_eq!(world.database.count("SELECT COUNT(*) FROM withdrawals").await, 0);
    let reader = token(&world, Caller::Business(world.business.id), &[Read]).await;
    let nobody = "/api/v1/payments/00000000-0000-0000-0000-000000000000";
    for path in [nobody, "/api/v1/payments/42"] {
        assert_eq!(world.patch(path, &reader, &json!({})).await.status, 403, "{path}");
        assert_eq!(world.get(path, &reader).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_token_with_scopes_is_rotated_alone() {
    let world = World::new().await;
    let own = Caller::Business(world.business.id);
    let (shop, desk) =
        (token(&world, own, &[Payments]).await, token(&world, own, &[Withdrawals, Read]).await);
    let rotate = async |scopes: &[Scope]| {
        let now = world.app.clock.now();
        let made =
            rotate_token(&world.database, world.business.id, Scopes::of(scopes), now, 0, &OsRandom, None)
                .await;
        made.unwrap().unwrap()
    };
    let path = format!("/api/v1/businesses/{}", world.business.id);
    let status = async |token: &str| world.get(&path, token).await.status.as_u16();
    let new_shop = rotate(&[Payments]).await;
    assert_eq!(
        (status(&shop).await, status(&new_shop).await, status(&desk).await, status(&world.token).await),
        (401, 200, 200, 200)
    );
    assert_eq!(world.post("/api/v1/withdrawals", &new_shop, &json!({})).await.status, 403);
    let owner = rotate(&[]).await;
    assert_eq!(
        (status(&new_shop).await, status(&desk).await, status(&world.token).await, status(&owner).await),
        (401, 401, 401, 200)
    );
}
