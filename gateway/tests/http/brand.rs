//! Logo and colour of a business: on its page, from the gateway, and nowhere else.

use axum::http::{Method, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_domain::access::actor::Actor;
use checkout_domain::business::logo::{Logo, MAX_BYTES};
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::businesses::update_business::update;
use checkout_test_nodes::black_png;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::drawer::started;
use super::{Answer, START, World};
use crate::fixture::create_business;

fn image(width: u32, height: u32) -> Logo {
    Logo::read(black_png(width, height)).unwrap()
}

fn color(text: &str) -> Settings {
    Settings { brand_color: Some(Some(text.parse().unwrap())), ..Settings::default() }
}

fn logo(logo: Option<Logo>) -> Settings {
    Settings { logo: Some(logo), ..Settings::default() }
}

impl World {
    async fn rebrand(&self, changes: Settings) {
        let rules = RuleChanges::default();
        update(&self.database, self.business.id, changes, rules, (&Actor::CommandLine, START))
            .await
            .unwrap()
            .unwrap();
    }

    /// The page of a new payment of this world's business.
    async fn page(&self, name: &str) -> Answer {
        let created = self.create(json!({"clientPaymentId": name})).await;
        let url = created.json["paymentUrl"].as_str().unwrap().strip_prefix("http://pay.test").unwrap();
        self.call(Method::GET, url, None, None).await
    }

    /// The path of the logo on the page of a new payment.
    async fn shown_logo(&self, name: &str) -> Option<String> {
        let styles = styles(&self.page(name).await).concat();
        let (_, rest) = styles.split_once("url(")?;
        Some(rest.split(')').next()?.to_owned())
    }

    async fn file(&self, path: &str) -> Answer {
        self.call(Method::GET, path, None, None).await
    }
}

/// The contents of the page's style elements.
fn styles(page: &Answer) -> Vec<String> {
    let text = String::from_utf8(page.bytes.clone()).unwrap();
    let parts = text.split("<style>").skip(1).map(|rest| rest.split("</style>").next().unwrap().to_owned());
    parts.collect()
}

fn style_sources(page: &Answer) -> Vec<String> {
    let policy = page.header("content-security-policy").unwrap();
    let sources = policy.split(';').find_map(|part| part.trim().strip_prefix("style-src ")).unwrap();
    sources.split(' ').map(str::to_owned).collect()
}

#[tokio::test]
async fn the_policy_has_the_hash_of_every_style() {
    let world = World::new().await;
    let plain = world.page("plain").await;
    assert_eq!(styles(&plain).len(), 1);
    for text in ["#ffd400", "#000000", "#ffffff"] {
        world.rebrand(Settings { logo: Some(Some(image(96, 96))), ..color(text) }).await;
        let page = world.page(text).await;
        let (styles, sources) = (styles(&page), style_sources(&page));
        assert_eq!(styles.len(), 2, "{text}");
        assert_eq!(styles[0], self::styles(&plain)[0]);
        assert!(styles[1].contains(&format!("--checkout-accent-fill:{text};")), "{}", styles[1]);
        let hashes =
            styles.iter().map(|style| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(style))));
        // A proxy may have changed them: the same rules are in a file.
        assert_eq!(sources[0], "'self'");
        assert_eq!(sources[1..], hashes.collect::<Vec<_>>());
    }
    world.rebrand(Settings { brand_color: Some(None), logo: Some(None), ..Settings::default() }).await;
    let again = world.page("again").await;
    assert_eq!((again.bytes, again.headers["content-security-policy"].clone()), {
        let policy = plain.headers["content-security-policy"].clone();
        (plain.bytes, policy)
    });
}

#[tokio::test]
async fn a_logo_is_served_by_the_gateway_and_cached_for_ever() {
    let world = World::new().await;
    assert_eq!(world.shown_logo("none").await, None);
    world.rebrand(logo(Some(image(240, 80)))).await;
    let url = world.shown_logo("one").await.unwrap();
    assert!(url.ends_with("-240x80.png"), "{url}");
    let served = world.file(&url).await;
    assert_eq!((served.status, &served.bytes), (StatusCode::OK, &black_png(240, 80)));
    for (name, value) in [
        ("content-type", "image/png"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("content-security-policy", "default-src 'none'; sandbox"),
    ] {
        assert_eq!(served.header(name), Some(value), "{name}");
    }
    world.rebrand(logo(Some(image(64, 64)))).await;
    let changed = world.shown_logo("two").await.unwrap();
    assert_ne!(changed, url, "a changed image has a new name");
    assert_eq!(world.file(&url).await.status, StatusCode::NOT_FOUND);
    let world = world.restart().await;
    assert_eq!(world.file(&changed).await.bytes, black_png(64, 64));
    world.rebrand(logo(None)).await;
    assert_eq!(world.shown_logo("three").await, None);
    let other = "A".repeat(43);
    for path in [
        changed,
        format!("/logos/{other}.png"),
        "/logos/a%00.png".to_owned(),
        "/logos/%ff.png".to_owned(),
        "/logos/x.svg".to_owned(),
    ] {
        let answer = world.file(&path).await;
        assert_eq!(
            (answer.status, &answer.json["code"]),
            (StatusCode::NOT_FOUND, &json!("not_found")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_logo_of_another_business_stays() {
    let world = World::new().await;
    let same = image(96, 96);
    let other =
        Settings { name: Some("Other".to_owned()), logo: Some(Some(same.clone())), ..Settings::default() };
    let (other, _) = create_business(&world.app, other).await;
    world.rebrand(logo(Some(same.clone()))).await;
    world.rebrand(logo(None)).await;
    assert_eq!(world.file(&format!("/logos/{}", same.file)).await.bytes, black_png(96, 96));
    let kept = world.database.business(other.id).await.unwrap().unwrap();
    assert_eq!(kept, other);
}

/// Its fields are those of the interface.
#[tokio::test]
async fn the_api_shows_a_business_without_its_brand() {
    let world = World::new().await;
    let path = format!("/api/v1/businesses/{}", world.business.id);
    let before = world.get(&path, &world.token).await.json;
    world.rebrand(color("#ffd400")).await;
    world.rebrand(logo(Some(image(96, 96)))).await;
    assert_eq!(world.get(&path, &world.token).await.json, before);
}

#[tokio::test]
async fn the_sandbox_takes_a_brand() {
    let world = started().await;
    let stored = async || {
        let business = checkout_simulator::world::business_id(&world.app).await.unwrap().unwrap();
        let business = world.database.business(business).await.unwrap().unwrap();
        (business.brand_color.map(|color| color.to_string()), business.logo)
    };
    let encoded = STANDARD.encode(black_png(320, 80));
    let answer = world.act("/sandbox/business", json!({"brandColor": "#FFD400", "logo": encoded})).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let brand = (Some("#ffd400".to_owned()), Some(image(320, 80).file));
    assert_eq!(stored().await, brand);

    let mut large = black_png(64, 64);
    large.resize(MAX_BYTES + 1, 0);
    for (wrong, code) in [
        (json!({"brandColor": "yellow"}), "bad_color"),
        (json!({"brandColor": "#ffd400}"}), "bad_color"),
        (json!({"brandColor": 16}), "wrong_type"),
        (json!({"logo": "https://shop.example/logo.png"}), "bad_base64"),
        (json!({"logo": STANDARD.encode("<svg xmlns='http://www.w3.org/2000/svg'/>")}), "bad_image"),
        (json!({"logo": STANDARD.encode(black_png(16, 16))}), "image_dimensions"),
        (json!({"logo": STANDARD.encode(large)}), "image_too_large"),
    ] {
        let refused = world.act("/sandbox/business", wrong.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        let name = wrong.as_object().unwrap().keys().next().unwrap();
        assert_eq!(refused.errors(), [(format!("/{name}"), code.to_owned())]);
        assert_eq!(stored().await, brand, "nothing was changed");
    }
    world.act("/sandbox/business", json!({"brandColor": "", "logo": ""})).await;
    assert_eq!(stored().await, (None, None));
}
