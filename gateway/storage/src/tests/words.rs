//! Businesses, whitelisted addresses, and texts of every kind.

use checkout_core::{Currency, Network, pair};
use checkout_domain::business::Business;
use checkout_domain::business::events::{EventChoice, EventGroup, EventType};
use checkout_domain::business::logo::Logo;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::businesses::{BusinessStore as _, PageTerms};
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::ports::whitelist::WhitelistStore as _;
use checkout_domain::withdrawal::whitelist::{WhitelistEntry, WhitelistFilter};
use checkout_wire::Theme;
use checkout_wire::payment::OverpaymentPolicy;
use uuid::Uuid;

use super::stage::{NOW, Stage, dec};

pub(super) async fn businesses(stage: &Stage) {
    let mut business = stage.business.clone();
    assert_eq!(stage.store.business(business.id).await.unwrap().unwrap(), business);
    business.name = "Kettle & Söhne '\"\\".to_owned();
    business.withdrawal_callback = Some("https://kettle.example/withdrawals".to_owned());
    business.deposit_callback = None;
    business.event_url = Some("https://kettle.example/events".to_owned());
    business.events =
        vec![EventChoice::One(EventType::PaymentStatus), EventChoice::Group(EventGroup::Deposit)];
    business.settlement_crypto = Some(Currency::Eth);
    business.settlement_ratio = dec("0.12345678");
    business.deposit_currencies = vec![Currency::Xrp, Currency::Btc];
    business.overpayment_policy = OverpaymentPolicy::ExcessRefund;
    business.refund_follow_ups = true;
    business.theme = Theme::Dark;
    business.instant_deposit_limit = Some(crate::tests::stage::dec("250"));
    business.support_url = Some("mailto:help@kettle.example?subject={reference}".to_owned());
    business.brand_color = Some("#ffd400".parse().unwrap());
    business.logo = Some("Kettle_-1-240x80.png".to_owned());
    business.allowed_origins = vec!["https://a.example".to_owned(), "https://b.example".to_owned()];
    let mut tx = stage.begin().await;
    tx.put_business(&business).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stage.store.business(business.id).await.unwrap().unwrap(), business);
    let all = stage.store.businesses().await.unwrap();
    assert_eq!(all, [business.clone(), stage.other.clone()], "by time of creation, then by id");
    assert!(stage.store.business(BusinessId(Uuid::nil())).await.unwrap().is_none());
    let payment = stage.stored("order").await;
    let Business { allowed_origins, brand_color, logo, .. } = business;
    let terms = PageTerms { allowed_origins, brand_color, logo };
    assert_eq!(stage.store.page_terms(payment.id).await.unwrap(), Some(terms));
    assert_eq!(stage.store.page_terms(PaymentId(Uuid::nil())).await.unwrap(), None);
    stage.store.ping().await.unwrap();
}

/// Each business has its own image, even if two are the same.
pub(super) async fn logos(stage: &Stage) {
    let image = |file: &str, bytes: &[u8]| Logo { file: file.to_owned(), bytes: bytes.to_vec() };
    let put = async |business, logo: Option<&Logo>| {
        let mut tx = stage.begin().await;
        tx.put_logo(business, logo).await.unwrap();
        tx.commit().await.unwrap();
    };
    let shown = async |file: &str| stage.store.logo(file).await.unwrap();
    let (own, other) = (stage.business.id, stage.other.id);
    assert_eq!(shown("a.png").await, None);
    put(own, Some(&image("a.png", b"\x89PNG\0\xff"))).await;
    put(other, Some(&image("a.png", b"\x89PNG\0\xff"))).await;
    assert_eq!(shown("a.png").await.unwrap(), b"\x89PNG\0\xff");
    put(own, Some(&image("b.png", b"b"))).await;
    assert_eq!(shown("b.png").await.unwrap(), b"b");
    assert!(shown("a.png").await.is_some(), "the other business has it");
    put(other, None).await;
    put(other, None).await;
    assert_eq!(shown("a.png").await, None);
    assert!(shown("b.png").await.is_some());
    assert_eq!(shown("B.png").await, None);
}

/// Texts sort byte by byte, whatever the collation of the database.
pub(super) async fn order_of_texts(stage: &Stage) {
    let mut tx = stage.begin().await;
    for key in ["b", "a", "B", "_", "é", "Z", "-", "10", "9", "a b", "ab"] {
        tx.put_setting(key, "").await.unwrap();
    }
    tx.commit().await.unwrap();
    let column = |rows: Vec<Vec<Option<String>>>| rows.into_iter().flatten().flatten().collect::<Vec<_>>();
    let sorted = column(stage.store.texts("SELECT key FROM settings ORDER BY key").await);
    assert_eq!(sorted, ["-", "10", "9", "B", "Z", "_", "a", "a b", "ab", "b", "é"]);
    let above = column(stage.store.texts("SELECT key FROM settings WHERE key > 'Z' ORDER BY key DESC").await);
    assert_eq!(above, ["é", "b", "ab", "a b", "a", "_"]);
    let least = column(stage.store.texts("SELECT MIN(key) FROM settings").await);
    assert_eq!(least, ["-"]);
}

pub(super) async fn any_text(stage: &Stage) {
    for (number, text) in ["", " ", "'; DROP TABLE payments; --", "🫖 \u{301}\u{202e}", "$1 %s \\ \n\t", "ﬀ"]
        .into_iter()
        .enumerate()
    {
        let key = number.to_string();
        let mut tx = stage.begin().await;
        tx.put_setting(&key, text).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(stage.store.setting(&key).await.unwrap().as_deref(), Some(text));
    }
    // A text that PostgreSQL cannot store is an error there, and changes nothing.
    let mut tx = stage.begin().await;
    let stored = tx.put_setting("zero", "a\0b").await;
    if stored.is_ok() {
        tx.commit().await.unwrap();
    }
    let kept = stage.store.setting("zero").await.unwrap();
    assert!(kept.is_none() == stored.is_err());
}

fn entry(business: BusinessId, client_id: &str, currency: Currency, label: Option<&str>) -> WhitelistEntry {
    let network = if currency == Currency::Xrp { Network::Xrp } else { Network::Btc };
    WhitelistEntry {
        id: Uuid::now_v7(),
        business,
        client_address_id: client_id.to_owned(),
        pair: pair::find(currency, network).unwrap(),
        address: "address".to_owned(),
        tag: (currency == Currency::Xrp).then(|| "7".to_owned()),
        label: label.map(str::to_owned),
        created_at: NOW,
    }
}

pub(super) async fn whitelist(stage: &Stage) {
    let first = entry(stage.business.id, "a", Currency::Xrp, Some("cold"));
    let mut tx = stage.begin().await;
    assert!(tx.insert_whitelisted(&first, "hash").await.unwrap());
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    let again = entry(stage.business.id, "a", Currency::Btc, None);
    assert!(!tx.insert_whitelisted(&again, "other").await.unwrap());
    let (known, hash) = tx.whitelisted_by_client_id(stage.business.id, "a").await.unwrap().unwrap();
    assert_eq!((known.id, known.tag.as_deref(), hash.as_str()), (first.id, Some("7"), "hash"));
    assert!(tx.whitelisted_by_client_id(stage.business.id, "A").await.unwrap().is_none());
    let others = entry(stage.other.id, "a", Currency::Btc, None);
    assert!(tx.insert_whitelisted(&others, "hash").await.unwrap(), "ids are a merchant's own");
    tx.commit().await.unwrap();
    let is = async |business, id| stage.store.is_whitelisted(business, id).await.unwrap();
    assert!(is(stage.business.id, first.id).await && !is(stage.other.id, first.id).await);
}

pub(super) async fn pages(stage: &Stage) {
    let mut entries = Vec::new();
    let mut tx = stage.begin().await;
    for number in 0..9 {
        let (currency, label) =
            if number % 3 == 0 { (Currency::Xrp, Some("cold")) } else { (Currency::Btc, None) };
        let entry = entry(stage.business.id, &number.to_string(), currency, label);
        assert!(tx.insert_whitelisted(&entry, "hash").await.unwrap());
        entries.push(entry);
    }
    tx.commit().await.unwrap();
    let check = async |filter: WhitelistFilter, page: Page, expected: &[usize]| {
        let found = stage.store.whitelisted(stage.business.id, &filter, &page).await.unwrap();
        let places: Vec<usize> = found
            .iter()
            .map(|found| entries.iter().position(|entry| entry.id == found.id).unwrap())
            .collect();
        assert_eq!(places, expected, "{filter:?} {page:?}");
    };
    let id = |place: usize| Some(entries[place].id);
    let (any, all) =
        (WhitelistFilter::default(), Page { after: None, before: None, descending: false, limit: 100 });
    check(any.clone(), all, &[0, 1, 2, 3, 4, 5, 6, 7, 8]).await;
    check(any.clone(), Page { limit: 2, ..all }, &[0, 1]).await;
    check(any.clone(), Page { descending: true, limit: 2, ..all }, &[8, 7]).await;
    check(any.clone(), Page { after: id(3), limit: 2, ..all }, &[4, 5]).await;
    check(any.clone(), Page { before: id(3), limit: 2, ..all }, &[1, 2]).await;
    check(any.clone(), Page { after: id(3), descending: true, limit: 2, ..all }, &[2, 1]).await;
    check(any.clone(), Page { before: id(3), descending: true, limit: 2, ..all }, &[5, 4]).await;
    check(any.clone(), Page { after: id(1), before: id(7), limit: 3, ..all }, &[2, 3, 4]).await;
    check(WhitelistFilter { currency: Some(Currency::Xrp), ..any.clone() }, all, &[0, 3, 6]).await;
    let label = |label: &str| WhitelistFilter { label: Some(label.to_owned()), ..any.clone() };
    check(label("cold"), Page { after: id(0), ..all }, &[3, 6]).await;
    check(label("COLD"), all, &[]).await;
    check(WhitelistFilter { client_address_id: Some("4".to_owned()), ..any.clone() }, all, &[4]).await;
    check(WhitelistFilter { id: id(4), ..any }, all, &[4]).await;
}
