//! Sale links in the API: fields, replays, wrong input, whose they are, their states.

use axum::http::{Method, StatusCode};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::golden::check_fields;
use super::wrong_input::{Faults, check_all};
use super::{Answer, START, World, over};
use crate::fixture::create_business;

pub(super) const PATH: &str = "/api/v1/sale-links";

pub(super) fn body(fields: Value) -> Value {
    let body = json!({
        "clientLinkId": "l-1", "title": "Green tea", "displayCurrency": "EUR", "displayAmount": "12.50", "slug": "green-tea",
    });
    over(body, fields)
}

impl World {
    pub(super) async fn sale_link(&self, fields: Value) -> Answer {
        self.post(PATH, &self.token, &body(fields)).await
    }

    /// The link with this slug, as its merchant sees it.
    pub(super) async fn seen_link(&self, slug: &str) -> Value {
        let listed = self.get(PATH, &self.token).await.json;
        listed.as_array().unwrap().iter().find(|link| link["slug"] == slug).unwrap().clone()
    }

    pub(super) async fn withdraw_link(&self, link: &Value) -> Answer {
        let path = format!("{PATH}/{}/withdraw", link["linkId"].as_str().unwrap());
        self.call(Method::POST, &path, Some(&self.token), None).await
    }
}

#[tokio::test]
async fn fields() {
    let world = World::new().await;
    let made = world.sale_link(json!({})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    check_fields(&made.json, "SaleLink", &["displayAmount"]);
    let expected = json!({
        "linkId": made.json["linkId"], "clientLinkId": "l-1", "status": "OPEN", "url": "http://pay.test/buy/green-tea",
        "slug": "green-tea", "title": "Green tea", "type": "REUSABLE", "displayCurrency": "EUR", "displayAmount": "12.50",
        "paid": 0, "open": 0, "createdAt": START,
    });
    assert_eq!(made.json, expected);

    let full = json!({
        "clientLinkId": "l-2", "slug": "gift", "displayAmount": null, "minAmount": "5", "maxAmount": 500, "stock": 3,
        "endsAt": START + 60, "redirectUrl": "https://shop.example/thanks",
    });
    let made = world.sale_link(full).await;
    check_fields(&made.json, "SaleLink", &["minAmount", "maxAmount", "stock", "endsAt", "redirectUrl"]);
    assert_eq!((&made.json["minAmount"], &made.json["maxAmount"]), (&json!("5.00"), &json!("500.00")));
    let once = world.sale_link(json!({"clientLinkId": "l-3", "slug": null, "type": "ONE_TIME"})).await;
    assert_eq!(once.json["type"], "ONE_TIME");
    let slug = once.json["slug"].as_str().unwrap();
    assert_eq!(slug.len(), 16, "nobody guesses {slug}");

    let listed = world.get(PATH, &world.token).await.json;
    let listed: Vec<&Value> = listed.as_array().unwrap().iter().map(|link| &link["clientLinkId"]).collect();
    assert_eq!(listed, ["l-3", "l-2", "l-1"]);
    let single = world.get(&format!("{PATH}/{}", once.json["linkId"].as_str().unwrap()), &world.token).await;
    assert_eq!(single.json, once.json);
}

#[tokio::test]
async fn replays() {
    let world = World::new().await;
    let first = world.sale_link(json!({"endsAt": START + 60})).await;
    let random = world.sale_link(json!({"clientLinkId": "l-2", "slug": null})).await;
    // A replay is compared with the request alone, not with the clock.
    world.advance(61).await;
    let mut watch = world.watch().await;
    for (fields, status, code) in [
        (json!({"endsAt": START + 60}), 200, Value::Null),
        (json!({"endsAt": START + 60, "displayAmount": 12.5, "type": "REUSABLE"}), 200, Value::Null),
        (json!({}), 409, json!("client_link_id_taken")),
        (json!({"endsAt": START + 60, "title": "Tea"}), 409, json!("client_link_id_taken")),
        (json!({"endsAt": START + 60, "displayAmount": "12.51"}), 409, json!("client_link_id_taken")),
        (json!({"endsAt": START + 60, "displayCurrency": "USD"}), 409, json!("client_link_id_taken")),
        (json!({"endsAt": START + 60, "stock": 1}), 409, json!("client_link_id_taken")),
        (json!({"endsAt": START + 60, "type": "ONE_TIME"}), 409, json!("client_link_id_taken")),
        (json!({"endsAt": START + 60, "slug": "other"}), 409, json!("client_link_id_taken")),
        (json!({"clientLinkId": "l-3"}), 409, json!("slug_taken")),
    ] {
        let again = world.sale_link(fields.clone()).await;
        assert_eq!((again.status.as_u16(), &again.json["code"]), (status, &code), "{fields} {}", again.json);
        if status == 200 {
            assert_eq!(again.json, over(first.json.clone(), json!({"status": "ENDED"})));
        }
    }
    let again = world.sale_link(json!({"clientLinkId": "l-2", "slug": null})).await;
    assert_eq!((again.status, again.json), (StatusCode::OK, random.json), "the slug of the first request");
    let now = watch.now().await;
    watch.assert_same(now, "replays and conflicts");
}

#[tokio::test]
async fn wrong_input() {
    let world = World::new().await;
    let b = body;
    let open = |min: Value, max: Value| b(json!({"displayAmount": null, "minAmount": min, "maxAmount": max}));
    let cases: Vec<(Value, Faults)> = vec![
        (
            json!({}),
            &[
                ("/clientLinkId", "required"),
                ("/title", "required"),
                ("/displayCurrency", "required"),
                ("/displayAmount", "required"),
            ],
        ),
        (
            json!({
                "clientLinkId": 1, "title": 1, "displayCurrency": 1, "displayAmount": [], "type": 1, "stock": "1", "endsAt": "1",
                "slug": 1, "redirectUrl": 1,
            }),
            &[
                ("/clientLinkId", "wrong_type"),
                ("/title", "wrong_type"),
                ("/displayCurrency", "wrong_type"),
                ("/displayAmount", "wrong_type"),
                ("/type", "wrong_type"),
                ("/stock", "wrong_type"),
                ("/endsAt", "wrong_type"),
                ("/slug", "wrong_type"),
                ("/redirectUrl", "wrong_type"),
            ],
        ),
        (
            b(json!({"clientLinkId": " ", "title": "\u{200b}"})),
            &[("/clientLinkId", "empty"), ("/title", "empty")],
        ),
        (b(json!({"title": "x".repeat(121)})), &[("/title", "too_long")]),
        (b(json!({"title": "a\u{202e}b"})), &[("/title", "bidirectional_override")]),
        (b(json!({"displayCurrency": "BTC"})), &[("/displayCurrency", "unknown_currency")]),
        (b(json!({"displayAmount": "0"})), &[("/displayAmount", "zero")]),
        (b(json!({"displayAmount": "-1"})), &[("/displayAmount", "sign")]),
        (b(json!({"displayAmount": "1.001"})), &[("/displayAmount", "too_many_decimals")]),
        (b(json!({"displayAmount": "1000000000001"})), &[("/displayAmount", "too_large")]),
        (b(json!({"minAmount": "1"})), &[("/displayAmount", "conflicting_amounts")]),
        (b(json!({"displayAmount": null, "minAmount": "1"})), &[("/maxAmount", "required")]),
        (b(json!({"displayAmount": null, "maxAmount": "1"})), &[("/minAmount", "required")]),
        (open(json!("2"), json!("1.99")), &[("/maxAmount", "out_of_range")]),
        (open(json!("0"), json!("x")), &[("/minAmount", "zero"), ("/maxAmount", "character")]),
        (b(json!({"type": "SOMETIMES"})), &[("/type", "unknown_value")]),
        (b(json!({"stock": 0})), &[("/stock", "out_of_range")]),
        (b(json!({"stock": 1_000_001})), &[("/stock", "out_of_range")]),
        (b(json!({"type": "ONE_TIME", "stock": 1})), &[("/stock", "conflict")]),
        (b(json!({"endsAt": START})), &[("/endsAt", "out_of_range")]),
        (b(json!({"redirectUrl": "javascript:alert(1)"})), &[("/redirectUrl", "bad_url")]),
    ];
    check_all(&world, Method::POST, PATH, Some(&world.token), cases).await;
    let slugs = ["", "te", "Tea", "gr\u{fc}n", "-tea", "tea-", "green--tea", "tea/print", "../tea"];
    let slugs = slugs.map(|slug| (b(json!({"slug": slug})), &[("/slug", "bad_slug")] as Faults));
    check_all(&world, Method::POST, PATH, Some(&world.token), slugs.to_vec()).await;
}

#[tokio::test]
async fn another_business_has_no_access_and_not_the_slug() {
    let world = World::new().await;
    let link = world.sale_link(json!({})).await.json;
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, foreign) = create_business(&world.app, other).await;
    let path = format!("{PATH}/{}", link["linkId"].as_str().unwrap());
    let mut watch = world.watch().await;
    assert_eq!(world.get(&path, &foreign).await.status, StatusCode::NOT_FOUND);
    let withdraw = format!("{path}/withdraw");
    assert_eq!(world.post(&withdraw, &foreign, &json!({})).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.get(PATH, &foreign).await.json, json!([]));
    let cursor = format!("{PATH}?after={}", link["linkId"].as_str().unwrap());
    assert_eq!(
        world.get(&cursor, &foreign).await.errors(),
        [("/after".to_owned(), "unknown_cursor".to_owned())]
    );
    let taken = world.post(PATH, &foreign, &body(json!({}))).await;
    assert_eq!((taken.status.as_u16(), &taken.json["code"]), (409, &json!("slug_taken")));
    let now = watch.now().await;
    watch.assert_same(now, "requests of another business");
}

#[tokio::test]
async fn a_withdrawn_link_stays_withdrawn_and_keeps_its_slug() {
    let world = World::new().await;
    let link = world.sale_link(json!({})).await.json;
    world.advance(5).await;
    let withdrawn = world.withdraw_link(&link).await;
    assert_eq!(withdrawn.status, StatusCode::OK);
    assert_eq!(withdrawn.json, over(link.clone(), json!({"status": "WITHDRAWN", "withdrawnAt": START + 5})));
    world.advance(5).await;
    assert_eq!(world.withdraw_link(&link).await.json, withdrawn.json);
    let again = world.sale_link(json!({"clientLinkId": "l-2"})).await;
    assert_eq!(again.json["code"], "slug_taken");
}
