//! `/checkout/{paymentId}/claim`: the form of the page stores what the payer asks for, once.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::Value;
use url::form_urlencoded;

use super::claims::{Payer, twice};
use super::merchant_refund_stage::{BTC, world};
use super::{Answer, World};

const OTHER: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

async fn press(world: &World, payer: &Payer, token: &str, fields: &[(&str, &str)]) -> Answer {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let path = format!("/checkout/{}/claim?sessionToken={token}&theme=DARK&claim=x", payer.id);
    world.send(Request::post(path).body(Body::from(body)).unwrap()).await
}

async fn ask(world: &World, payer: &Payer, claim: &Value, address: &str) -> Answer {
    let id = claim["claimId"].as_str().unwrap();
    press(world, payer, &payer.session, &[("claim", id), ("to", address), ("tag", ""), ("ask", "1")]).await
}

#[tokio::test]
async fn the_form_asks_once_and_leads_back_to_the_page() {
    let world = world().await;
    let payer = twice(&world).await;
    let open = world.claimed(&payer).await;
    assert_eq!(open["status"], "OPEN");
    let id = open["claimId"].as_str().unwrap();

    // Without the button nothing is stored.
    for fields in [&[("claim", id), ("to", BTC)][..], &[("claim", id), ("to", BTC), ("review", "1")]] {
        press(&world, &payer, &payer.session, fields).await;
        assert_eq!(world.claimed(&payer).await["status"], "OPEN", "{fields:?}");
    }
    // Nor with an address that is wrong, or a token that is.
    ask(&world, &payer, &open, &BTC[..41]).await;
    press(&world, &payer, "x.y", &[("claim", id), ("to", BTC), ("ask", "1")]).await;
    assert_eq!(world.claimed(&payer).await["status"], "OPEN");

    let asked = ask(&world, &payer, &open, &format!(" {BTC} ")).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER);
    let page = format!("/checkout/{}?sessionToken={}&theme=DARK", payer.id, payer.session);
    assert_eq!(asked.header("location"), Some(&*page));
    // A double press, and somebody else who was second.
    for address in [BTC, OTHER] {
        assert_eq!(ask(&world, &payer, &open, address).await.status, StatusCode::SEE_OTHER);
        let claim = world.claimed(&payer).await;
        assert_eq!((&claim["status"], &claim["address"]), (&"ASKED".into(), &BTC.into()));
    }
    let refunds = world.get("/api/v1/refunds", &world.token).await;
    assert_eq!(refunds.json.as_array().map(Vec::len), Some(1), "{}", refunds.json);
}

#[tokio::test]
async fn forms_that_nobody_sends() {
    let world = world().await;
    let payer = twice(&world).await;
    let id = world.claimed(&payer).await["claimId"].as_str().unwrap().to_owned();
    let long = "x".repeat(2_000);
    for fields in [
        &[][..],
        &[("ask", "1")],
        &[("claim", ""), ("to", BTC), ("ask", "1")],
        &[("claim", "nonsense"), ("to", BTC), ("ask", "1")],
        &[("claim", &payer.id), ("to", BTC), ("ask", "1")],
        &[("claim", &id), ("to", ""), ("ask", "1")],
        &[("claim", &id), ("to", &long), ("ask", "1")],
    ] {
        let answer = press(&world, &payer, &payer.session, fields).await;
        assert!(answer.status == StatusCode::SEE_OTHER || answer.status == StatusCode::OK, "{fields:?}");
        assert_eq!(world.claimed(&payer).await["status"], "OPEN", "{fields:?}");
    }
    let path = format!("/checkout/{}/claim?sessionToken={}", payer.id, payer.session);
    let reopened = world.send(Request::get(&path).body(Body::empty()).unwrap()).await;
    assert_eq!(reopened.status, StatusCode::SEE_OTHER);
    assert_eq!(reopened.header("location"), Some(&*path.replace("/claim?", "?")));
}
