//! How long a sale holds its piece, and when its link sells it again.

use axum::http::StatusCode;
use serde_json::json;

use super::World;

#[tokio::test]
async fn an_expired_sale_opens_again_only_while_its_link_sells() {
    for (supply, meanwhile, expected, state) in [
        (json!({"stock": 1}), "nothing", 200, "SOLD_OUT"),
        (json!({"stock": 1}), "another buys", 409, "SOLD_OUT"),
        (json!({"stock": 1}), "another pays", 409, "SOLD_OUT"),
        (json!({"stock": 1}), "another lets it expire", 200, "SOLD_OUT"),
        (json!({"stock": 2}), "another pays", 200, "SOLD_OUT"),
        (json!({"type": "ONE_TIME"}), "another buys", 409, "SOLD_OUT"),
        (json!({}), "another pays", 200, "OPEN"),
        (json!({}), "withdrawn", 409, "WITHDRAWN"),
        (json!({"stock": 1}), "withdrawn", 409, "WITHDRAWN"),
        (json!({"endsAt": super::START + 3_600}), "ended", 409, "ENDED"),
    ] {
        let world = World::new().await;
        let link = world.sale_link(supply.clone()).await.json;
        let sale = world.bought("green-tea").await;
        let path = format!("/api/v1/payments/{sale}");
        let choice = json!({"depositCurrency": "BTC"});
        assert_eq!(world.patch(&path, &world.token, &choice).await.status, StatusCode::OK);
        world.advance(30 * 60).await;
        match meanwhile {
            "another buys" => drop(world.bought("green-tea").await),
            "another pays" => {
                let other = world.bought("green-tea").await;
                world.pays(&other).await;
            }
            "another lets it expire" => {
                world.bought("green-tea").await;
                world.advance(30 * 60).await;
            }
            "withdrawn" => drop(world.withdraw_link(&link).await),
            "ended" => world.advance(30 * 60).await,
            _ => {}
        }
        let case = format!("{supply} {meanwhile}");
        let again = world.patch(&path, &world.token, &json!({"depositCurrency": "LTC"})).await;
        assert_eq!(again.status.as_u16(), expected, "{case} {}", again.json);
        if expected == 409 {
            assert_eq!(again.json["code"], "not_for_sale", "{case}");
            assert_eq!(world.payment(&sale).await["status"], "EXPIRED", "{case}");
        }
        assert_eq!(world.seen_link("green-tea").await["status"], state, "{case}");
    }
}

/// Each other choice after the first window begins another one, for which the link sells once more.
#[tokio::test]
async fn a_sale_is_not_held_by_choosing_again_and_again() {
    for (supply, end, expected) in [
        (json!({"stock": 1}), "", 409),
        (json!({"stock": 1}), "withdrawn", 409),
        (json!({"stock": 2}), "", 200),
        (json!({"stock": 2}), "another buys", 409),
        (json!({}), "another buys", 200),
    ] {
        let world = World::new().await;
        let link = world.sale_link(supply.clone()).await.json;
        let path = format!("/api/v1/payments/{}", world.bought("green-tea").await);
        let choose = async |currency: &str| {
            world.patch(&path, &world.token, &json!({"depositCurrency": currency})).await.status.as_u16()
        };
        assert_eq!(choose("BTC").await, 200);
        world.advance(30 * 60).await;
        assert_eq!(choose("LTC").await, 200, "the link sells");
        world.advance(29 * 60).await;
        match end {
            "withdrawn" => drop(world.withdraw_link(&link).await),
            "another buys" => drop(world.bought("green-tea").await),
            _ => {}
        }
        assert_eq!(choose("LTC").await, 200, "what is shown stays");
        assert_eq!(choose("BTC").await, expected, "{supply} {end}");
    }
}

/// An amount that was shown before can last longer than the one of now, whose end is the payment's.
#[tokio::test]
async fn a_quote_of_before_does_not_bring_a_sold_piece_back() {
    let world = World::new().await;
    world.sale_link(json!({"stock": 2})).await;
    let sale = world.bought("green-tea").await;
    let path = format!("/api/v1/payments/{sale}");
    let choose = async |currency: &str| {
        world.patch(&path, &world.token, &json!({"depositCurrency": currency})).await.status.as_u16()
    };
    world.advance(30 * 60).await;
    assert_eq!(choose("LTC").await, 200);
    world.advance(20 * 60).await;
    assert_eq!(choose("BTC").await, 200, "a piece is left");
    assert_eq!(choose("LTC").await, 200);
    world.advance(10 * 60).await;
    for _ in 0..2 {
        world.bought("green-tea").await;
    }
    assert_eq!(choose("BTC").await, 409);
    assert_eq!(world.payment(&sale).await["status"], "EXPIRED");
}

#[tokio::test]
async fn what_was_begun_before_a_link_was_withdrawn_is_quoted() {
    let world = World::new().await;
    let link = world.sale_link(json!({})).await.json;
    let sale = world.bought("green-tea").await;
    world.withdraw_link(&link).await;
    let path = format!("/api/v1/payments/{sale}");
    let chosen = world.patch(&path, &world.token, &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
}

/// A deposit that is on its way holds its piece until the gateway knows that it is too little.
#[tokio::test]
async fn a_transfer_on_its_way_holds_its_piece() {
    let world = World::new().await;
    world.sale_link(json!({"type": "ONE_TIME"})).await;
    let first = world.bought("green-tea").await;
    let chosen = world
        .patch(&format!("/api/v1/payments/{first}"), &world.token, &json!({"depositCurrency": "BTC"}))
        .await;
    let amount = chosen.json["paymentInfo"]["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&first, &amount).await;
    world.advance(30 * 60 + 1).await;
    assert_eq!(world.seen_link("green-tea").await["status"], "SOLD_OUT");
    world.mine("BTC").await;
    assert_eq!(world.seen_link("green-tea").await["paid"], 1);
}
