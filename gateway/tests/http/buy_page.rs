//! `/buy/{slug}`: a press makes one payment, and nothing else makes one.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};
use url::form_urlencoded;
use uuid::Uuid;

use super::sale_links::PATH;
use super::{Answer, World};
use crate::fixture::Look as _;

const HEADERS: [(&str, &str); 2] = [("host", "pay.test"), ("sec-fetch-site", "same-origin")];

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.clone()).unwrap()
}

/// What stands between two texts.
fn between<'a>(page: &'a str, start: &str, end: &str) -> Option<&'a str> {
    page.split_once(start)?.1.split_once(end).map(|(found, _)| found)
}

impl World {
    async fn opened(&self, slug: &str) -> Answer {
        self.send(Request::get(format!("/buy/{slug}")).body(Body::empty()).unwrap()).await
    }

    /// The number of a new form.
    async fn form(&self, slug: &str) -> String {
        let page = text(&self.opened(slug).await);
        between(&page, "name=\"number\" value=\"", "\"").unwrap_or_else(|| panic!("{page}")).to_owned()
    }

    async fn pressed(&self, slug: &str, headers: &[(&str, &str)], fields: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = Request::post(format!("/buy/{slug}"));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// A press of a new form. Returns the id of the payment.
    pub(super) async fn bought(&self, slug: &str) -> String {
        let number = self.form(slug).await;
        let answer = self.pressed(slug, &HEADERS, &[("number", &number)]).await;
        id_of(&answer)
    }

    pub(super) async fn payments(&self) -> i64 {
        self.database.count("SELECT COUNT(*) FROM payments").await
    }

    /// Pays a payment that a person made.
    pub(super) async fn pays(&self, id: &str) {
        let path = format!("/api/v1/payments/{id}");
        let chosen = self.patch(&path, &self.token, &json!({"depositCurrency": "BTC"})).await;
        let amount = chosen.json["paymentInfo"]["expectedDepositAmount"].as_str().unwrap().to_owned();
        self.pay(id, &amount).await;
        self.mine("BTC").await;
    }
}

#[track_caller]
fn id_of(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", text(answer));
    let location = answer.header("location").unwrap();
    assert!(location.starts_with("/checkout/"), "on the host of the form: {location}");
    between(location, "/checkout/", "?").unwrap().to_owned()
}

#[tokio::test]
async fn a_press_makes_a_payment_and_leads_to_its_page() {
    let world = World::new().await;
    let link = world.sale_link(json!({"redirectUrl": "https://shop.example/thanks"})).await.json;
    let page = world.opened("green-tea").await;
    assert_eq!(page.status, StatusCode::OK);
    let page = text(&page);
    for part in ["Kettle &amp; Co", "Green tea", "12.50\u{a0}EUR", "noindex", "method=\"post\""] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script"), "{page}");
    let number = world.form("green-tea").await;
    let pressed = world.pressed("green-tea", &HEADERS, &[("number", &number), ("locale", "de-DE")]).await;
    let id = id_of(&pressed);
    let payment = world.payment(&id).await;
    for (name, value) in [
        ("status", json!("NEW")),
        ("type", json!("ONE_TIME")),
        ("rateType", json!("FIXED")),
        ("locale", json!("de-DE")),
        ("expectedDisplayAmount", json!("12.50")),
        ("displayCurrency", json!("EUR")),
        ("expirationMinutes", json!(30)),
        ("redirectUrl", json!("https://shop.example/thanks")),
        ("description", json!("Green tea")),
        ("metadata", json!({"saleLink": link["linkId"]})),
    ] {
        assert_eq!(payment[name], value, "{name}");
    }
    // The link works, with its token.
    let location = pressed.header("location").unwrap();
    let session = between(location, "sessionToken=", "&").unwrap();
    let read = world.get(&format!("/api/v1/checkout/{id}"), session).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.json);
    let found = format!("/api/v1/payments?metadata=saleLink:{}", link["linkId"].as_str().unwrap());
    assert_eq!(world.get(&found, &world.token).await.json[0]["paymentId"], json!(id));
    assert_eq!(world.seen_link("green-tea").await["open"], 1);
    world.pays(&id).await;
    let seen = world.seen_link("green-tea").await;
    assert_eq!((&seen["paid"], &seen["open"], &seen["status"]), (&json!(1), &json!(0), &json!("OPEN")));
}

#[tokio::test]
async fn two_presses_of_one_form_make_one_payment() {
    let world = World::new().await;
    world.sale_link(json!({})).await;
    let number = world.form("green-tea").await;
    let first = world.pressed("green-tea", &HEADERS, &[("number", &number)]).await;
    let second = world.pressed("green-tea", &HEADERS, &[("number", &number)]).await;
    assert_eq!(id_of(&first), id_of(&second));
    assert_eq!(first.header("location"), second.header("location"));
    assert_ne!(world.bought("green-tea").await, id_of(&first), "another form");
    // Its payment is over: the page has a form for a new one.
    world.advance(30 * 60 + 1).await;
    let third = world.pressed("green-tea", &HEADERS, &[("number", &number)]).await;
    assert_eq!(third.status, StatusCode::CONFLICT);
    let page = text(&third);
    let new = between(&page, "name=\"number\" value=\"", "\"").unwrap();
    assert_ne!(new, number);
    let fourth = world.pressed("green-tea", &HEADERS, &[("number", new)]).await;
    assert_ne!(id_of(&fourth), id_of(&first));
}

#[tokio::test]
async fn nothing_but_a_press_makes_a_payment() {
    let world = World::new().await;
    world.sale_link(json!({})).await;
    let number = world.form("green-tea").await;
    let mut watch = world.watch().await;
    for method in [Method::GET, Method::HEAD] {
        for (name, value) in [("sec-purpose", "prefetch"), ("sec-fetch-mode", "navigate"), ("accept", "*/*")]
        {
            let path = format!("/buy/green-tea?number={number}");
            let request = Request::builder().method(method.clone()).uri(path).header(name, value);
            assert_eq!(world.send(request.body(Body::empty()).unwrap()).await.status, StatusCode::OK);
        }
    }
    let host = ("host", "pay.test");
    for (headers, fields, status) in [
        (&[host, ("sec-fetch-site", "cross-site")][..], &[("number", &*number)][..], 403),
        (&[host, ("sec-fetch-site", "same-site")], &[("number", &number)], 403),
        (&[host, ("origin", "https://evil.example")], &[("number", &number)], 403),
        (&[host, ("origin", "null")], &[("number", &number)], 403),
        (&[("host", "evil.example")], &[("number", &number)], 403),
        (&HEADERS, &[], 409),
        (&HEADERS, &[("number", "1")], 409),
        (&HEADERS, &[("number", "")], 409),
    ] {
        let answer = world.pressed("green-tea", headers, fields).await;
        assert_eq!(answer.status.as_u16(), status, "{headers:?} {fields:?}");
    }
    let long = "9".repeat(2_000);
    let answer = world.pressed("green-tea", &HEADERS, &[("amount", &long), ("number", &number)]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT, "a form that is too long is empty");
    let now = watch.now().await;
    watch.assert_same(now, "what is no press");
    assert_eq!(world.payments().await, 0);
}

#[tokio::test]
async fn an_open_price_is_typed_within_its_bounds() {
    let world = World::new().await;
    let open = json!({"displayAmount": null, "minAmount": "5", "maxAmount": "1500"});
    world.sale_link(open).await;
    let page = text(&world.opened("green-tea").await);
    assert!(page.contains("From 5.00\u{a0}EUR to 1,500.00\u{a0}EUR"), "{page}");
    let mut watch = world.watch().await;
    for wrong in ["", "4.99", "1500.01", "0", "-5", "5.001", "1e2", "abc", "1,000.00", "<b>\""] {
        let number = world.form("green-tea").await;
        let answer = world.pressed("green-tea", &HEADERS, &[("number", &number), ("amount", wrong)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        let page = text(&answer);
        assert!(page.contains("role=\"alert\"") && page.contains("aria-invalid=\"true\""), "{page}");
        let escaped = wrong.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(page.contains(&format!("value=\"{escaped}\"")), "what was typed stays: {page}");
    }
    let now = watch.now().await;
    watch.assert_same(now, "wrong amounts");
    for (typed, expected) in [("5", "5.00"), ("1500.00", "1500.00"), (" 12,5 ", "12.50")] {
        let number = world.form("green-tea").await;
        let answer = world.pressed("green-tea", &HEADERS, &[("number", &number), ("amount", typed)]).await;
        assert_eq!(world.payment(&id_of(&answer)).await["expectedDisplayAmount"], expected);
        // The same form with another amount is no second payment.
        let other = world.pressed("green-tea", &HEADERS, &[("number", &number), ("amount", "77")]).await;
        assert_eq!(other.status, StatusCode::CONFLICT);
    }
    assert_eq!(world.payments().await, 3);
}

#[tokio::test]
async fn what_does_not_sell_says_so() {
    let world = World::new().await;
    let named = |name: &str, fields: Value| super::over(json!({"clientLinkId": name, "slug": name}), fields);
    let withdrawn = world.sale_link(named("withdrawn", json!({}))).await.json;
    let now = world.app.clock.now();
    world.sale_link(named("ended", json!({"endsAt": now + 60}))).await;
    world.sale_link(named("reserved", json!({"type": "ONE_TIME"}))).await;
    world.sale_link(named("sold", json!({"stock": 1}))).await;
    let mut numbers = Vec::new();
    for slug in ["withdrawn", "ended", "reserved", "sold"] {
        numbers.push((slug, world.form(slug).await));
    }
    world.withdraw_link(&withdrawn).await;
    world.advance(60).await;
    world.bought("reserved").await;
    let sold = world.bought("sold").await;
    world.pays(&sold).await;
    for (slug, status, part) in [
        ("withdrawn", "WITHDRAWN", "no longer for sale"),
        ("ended", "ENDED", "has ended"),
        ("reserved", "SOLD_OUT", "A payment for the last one is under way"),
        ("sold", "SOLD_OUT", "Sold out"),
    ] {
        assert_eq!(world.seen_link(slug).await["status"], status);
        let number = &numbers.iter().find(|(of, _)| *of == slug).unwrap().1;
        for answer in [world.opened(slug).await, world.pressed(slug, &HEADERS, &[("number", number)]).await] {
            assert_eq!(answer.status, StatusCode::GONE, "{slug}");
            let page = text(&answer);
            assert!(page.contains(part) && !page.contains("<form"), "{slug}: {page}");
        }
    }
    let unknown = world.opened("unknown").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(text(&unknown).contains("This link does not work"));
    for path in ["NoSlug", "a", "a%2fb"] {
        assert_eq!(world.opened(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(world.payments().await, 2);
}

#[tokio::test]
async fn a_disabled_business_sells_nothing() {
    let world = World::new().await;
    world.sale_link(json!({})).await;
    let number = world.form("green-tea").await;
    let mut tx = world.app.store.begin().await.unwrap();
    tx.put_business(&checkout_domain::business::Business { disabled: true, ..world.business.clone() })
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for path in ["green-tea", "green-tea/print"] {
        assert_eq!(world.opened(path).await.status, StatusCode::GONE, "{path}");
    }
    let pressed = world.pressed("green-tea", &HEADERS, &[("number", &number)]).await;
    assert_eq!(pressed.status, StatusCode::GONE);
    assert_eq!(world.payments().await, 0);
}

#[tokio::test]
async fn what_expired_is_free_again_and_a_late_deposit_is_an_ordinary_one() {
    let world = World::new().await;
    world.sale_link(json!({"stock": 1})).await;
    let late = world.bought("green-tea").await;
    let path = format!("/api/v1/payments/{late}");
    let chosen = world.patch(&path, &world.token, &json!({"depositCurrency": "BTC"})).await;
    let amount = chosen.json["paymentInfo"]["expectedDepositAmount"].as_str().unwrap().to_owned();
    assert_eq!(world.seen_link("green-tea").await["status"], "SOLD_OUT");
    world.advance(30 * 60 + 1).await;
    assert_eq!(world.seen_link("green-tea").await["status"], "OPEN");
    let second = world.bought("green-tea").await;
    world.pays(&second).await;
    world.pay(&late, &amount).await;
    world.mine("BTC").await;
    let payment = world.payment(&late).await;
    assert_eq!(payment["status"], "DEPOSITED", "{payment}");
    let seen = world.seen_link("green-tea").await;
    assert_eq!((&seen["paid"], &seen["status"]), (&json!(2), &json!("SOLD_OUT")));
    let refund = json!({"clientRefundId": "r-1", "amount": amount});
    let refunded = world.post(&format!("{path}/refunds"), &world.token, &refund).await;
    assert_eq!(refunded.status, StatusCode::CREATED, "{}", refunded.json);
}

#[tokio::test]
async fn what_is_told_of_a_sale_is_not_its_form() {
    let world = World::new().await;
    world.sale_link(json!({})).await;
    let number = world.form("green-tea").await;
    let id = id_of(&world.pressed("green-tea", &HEADERS, &[("number", &number)]).await);
    let told = world.payment(&id).await.to_string();
    for secret in [number.clone(), number.replace('-', "")] {
        assert!(!told.contains(&secret), "{secret} in {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_presses_on_a_stock_of_one_make_one_payment() {
    let world = Arc::new(World::new().await);
    world.sale_link(json!({"stock": 1})).await;
    let presses: Vec<_> = (0..50)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                let number = Uuid::new_v4().to_string();
                world.pressed("green-tea", &HEADERS, &[("number", &number)]).await.status.as_u16()
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for press in presses {
        statuses.push(press.await.unwrap());
    }
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(303), count(410)), (1, 49), "{statuses:?}");
    assert_eq!(world.payments().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_presses_of_one_form_make_one_payment() {
    let world = Arc::new(World::new().await);
    world.sale_link(json!({})).await;
    let number = world.form("green-tea").await;
    let presses: Vec<_> = (0..50)
        .map(|_| {
            let (world, number) = (Arc::clone(&world), number.clone());
            tokio::spawn(
                async move { id_of(&world.pressed("green-tea", &HEADERS, &[("number", &number)]).await) },
            )
        })
        .collect();
    let mut ids = Vec::new();
    for press in presses {
        ids.push(press.await.unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(world.payments().await, 1);
}

#[tokio::test]
async fn the_page_has_the_language_and_the_brand() {
    let world = World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        brand_color: Some(Some("#0b6e4f".parse().unwrap())),
        allowed_origins: Some(vec!["https://shop.example".to_owned()]),
        ..Settings::default()
    })
    .await;
    let link = world.sale_link(json!({"title": "Tee <grün>", "displayAmount": "1250"})).await.json;
    let request = Request::get("/buy/green-tea").header("accept-language", "de-AT,de;q=0.9,en;q=0.8");
    let page = world.send(request.body(Body::empty()).unwrap()).await;
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(policy.ends_with("form-action 'self'; frame-ancestors 'self' https://shop.example"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");
    let page = text(&page);
    for part in ["lang=\"de-DE\"", "Tee &lt;grün&gt;", "1.250,00\u{a0}EUR", "Mit Krypto bezahlen", "#0b6e4f"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    let other = text(&world.opened("green-tea?locale=ja-JP").await);
    assert!(other.contains("lang=\"ja-JP\""), "{other}");
    world.withdraw_link(&link).await;
    assert_eq!(world.get(PATH, &world.token).await.json[0]["status"], "WITHDRAWN");
}

#[tokio::test]
async fn the_page_for_paper_is_there_while_it_sells() {
    let world = World::new().await;
    let link = world.sale_link(json!({"type": "ONE_TIME"})).await.json;
    let printed = async || {
        let page = world.opened("green-tea/print").await;
        (page.status, text(&page))
    };
    world.bought("green-tea").await;
    let (status, page) = printed().await;
    assert_eq!(status, StatusCode::OK, "also while somebody pays");
    for part in ["Green tea", "12.50\u{a0}EUR", "Scan to pay", "http://pay.test/buy/green-tea<"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<form"), "{page}");
    world.withdraw_link(&link).await;
    let (status, page) = printed().await;
    assert_eq!(status, StatusCode::GONE);
    assert!(page.contains("no longer for sale"), "{page}");
    assert_eq!(world.opened("unknown/print").await.status, StatusCode::NOT_FOUND);
}
