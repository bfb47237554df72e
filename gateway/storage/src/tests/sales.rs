//! Sale links: stored as they are, one slug, and counted with the lock.

use checkout_domain::page::Page;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::sales::SaleStore as _;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::sale::{SaleLink, SalePrice, Supply, Taken};
use checkout_wire::PaymentStatus;
use uuid::Uuid;

use super::stage::{NOW, Stage, dec, paid};

fn link(stage: &Stage, slug: &str) -> SaleLink {
    SaleLink {
        id: Uuid::now_v7(),
        business: stage.business.id,
        client_link_id: slug.to_owned(),
        slug: slug.parse().unwrap(),
        title: "Green tea".to_owned(),
        price: SalePrice::Fixed { fiat: Fiat::EUR, amount: dec("12.50") },
        supply: Supply::Unlimited,
        ends_at: None,
        redirect_url: None,
        created_at: NOW,
        withdrawn_at: None,
    }
}

async fn inserted(stage: &Stage, link: &SaleLink) -> bool {
    let mut tx = stage.begin().await;
    let inserted = tx.insert_sale_link(link, "hash").await.unwrap();
    tx.commit().await.unwrap();
    inserted
}

pub(super) async fn round_trip(stage: &Stage) {
    let open = SalePrice::Open { fiat: "JPY".parse().unwrap(), min: dec("1"), max: dec("100000") };
    let links = [
        link(stage, "fixed"),
        SaleLink { price: open, supply: Supply::Once, ..link(stage, "open") },
        SaleLink {
            supply: Supply::Stock(7),
            ends_at: Some(NOW + 1),
            redirect_url: Some("https://shop.example/".to_owned()),
            ..link(stage, "stock")
        },
    ];
    for link in &links {
        assert!(inserted(stage, link).await);
        let found = stage.store.sale_link(link.id, NOW).await.unwrap();
        assert_eq!(found, Some((link.clone(), Taken::default())));
        assert_eq!(stage.store.sale_link_by_slug(&link.slug, NOW).await.unwrap(), found);
    }
    let page = Page { after: None, before: None, descending: true, limit: 2 };
    let listed = stage.store.sale_links(stage.business.id, &page, NOW).await.unwrap();
    let listed: Vec<&str> = listed.iter().map(|(link, _)| link.slug.as_str()).collect();
    assert_eq!(listed, ["stock", "open"]);
    assert_eq!(stage.store.sale_links(stage.other.id, &page, NOW).await.unwrap(), []);

    let mut tx = stage.begin().await;
    let withdrawn = SaleLink { withdrawn_at: Some(NOW + 5), ..links[0].clone() };
    tx.update_sale_link(&withdrawn).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stage.store.sale_link(withdrawn.id, NOW).await.unwrap().unwrap().0, withdrawn);
}

pub(super) async fn one_per_id_and_slug(stage: &Stage) {
    let first = link(stage, "green-tea");
    assert!(inserted(stage, &first).await);
    let same_id = SaleLink { slug: "other".parse().unwrap(), id: Uuid::now_v7(), ..first.clone() };
    let same_slug = SaleLink { business: stage.other.id, id: Uuid::now_v7(), ..first.clone() };
    assert!(!inserted(stage, &same_id).await);
    assert!(!inserted(stage, &same_slug).await);
    let mut tx = stage.begin().await;
    let known = tx.sale_link_by_client_id(stage.business.id, "green-tea").await.unwrap();
    assert_eq!(known, Some((first, "hash".to_owned())));
    assert_eq!(tx.sale_link_by_client_id(stage.other.id, "green-tea").await.unwrap(), None);
}

pub(super) async fn counted(stage: &Stage) {
    let link = link(stage, "green-tea");
    assert!(inserted(stage, &link).await);
    for (status, now, expected) in [
        (PaymentStatus::New, NOW, (0, 1)),
        (PaymentStatus::New, NOW + 1_800, (0, 0)),
        (PaymentStatus::Pending, NOW + 1_799, (0, 1)),
        (PaymentStatus::Pending, NOW + 1_800, (0, 0)),
        (PaymentStatus::Awaiting, NOW + 1_800, (0, 1)),
        (PaymentStatus::Expired, NOW, (0, 0)),
        (PaymentStatus::Deposited, NOW + 1_800, (1, 0)),
        (PaymentStatus::Overpaid, NOW + 1_800, (1, 0)),
    ] {
        let payment = stage.stored(&format!("{status:?} {now}")).await;
        let before = stage.store.sale_link(link.id, now).await.unwrap().unwrap().1;
        let mut tx = stage.begin().await;
        tx.insert_sale(link.id, payment.id).await.unwrap();
        tx.commit().await.unwrap();
        paid(&stage.store, &payment, status).await.commit().await.unwrap();
        let after = stage.store.sale_link(link.id, now).await.unwrap().unwrap().1;
        let added = (after.paid - before.paid, after.open - before.open);
        assert_eq!(added, expected, "{status:?} {now}");
    }
    let unlimited = stage.store.sale_link_by_slug(&link.slug, NOW).await.unwrap().unwrap();
    assert_eq!(unlimited.1, Taken::default(), "nothing asks for the count");
}

/// Everybody counts first and then sells.
pub(super) async fn sold_once(stage: &Stage) {
    let link = SaleLink { supply: Supply::Stock(1), ..link(stage, "green-tea") };
    assert!(inserted(stage, &link).await);
    let sell = async |number: u32| {
        let mut tx = stage.store.begin().await.unwrap();
        let (_, taken) = tx.sale_link_to_sell(link.id, NOW).await.unwrap().unwrap();
        if taken.open > 0 {
            return 0;
        }
        let payment = stage.payment(&format!("p-{number}"));
        assert!(tx.insert_payment(&payment, "hash").await.unwrap());
        tx.insert_sale(link.id, payment.id).await.unwrap();
        tx.commit().await.unwrap();
        1
    };
    let sold = futures::future::join_all((0..50).map(sell)).await;
    assert_eq!(sold.iter().sum::<u32>(), 1);
    assert_eq!(stage.store.sale_link(link.id, NOW).await.unwrap().unwrap().1, Taken { paid: 0, open: 1 });
}
