use std::collections::BTreeSet;

use checkout_core::Network;
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::payment::Quote;
use checkout_domain::ports::watched_addresses::{GivenAddresses as _, WatchedAddresses as _};
use checkout_domain::ports::{Owner, Store as _};

use super::stage::{NOW, Stage, at_once, deposit, quote, transfer_of};

fn transfer(network: Network, to: &str, tag: Option<&str>) -> Transfer {
    let transfer = transfer_of(&deposit("a", 1));
    let output = OutputId { network, ..transfer.output };
    Transfer { output, to: to.to_owned(), tag: tag.map(str::to_owned), ..transfer }
}

pub(super) async fn assigned_once(stage: &Stage) {
    let (one, two) = (stage.stored("one").await, stage.stored("two").await);
    let mut tx = stage.begin().await;
    assert!(tx.insert_address(one.id, Network::Btc, "a", None, NOW).await.unwrap());
    assert!(
        !tx.insert_address(two.id, Network::Btc, "a", None, NOW).await.unwrap(),
        "it belongs to another payment"
    );
    assert!(!tx.insert_address(one.id, Network::Btc, "b", None, NOW).await.unwrap(), "one a network");
    assert!(tx.insert_address(two.id, Network::Btc, "A", None, NOW).await.unwrap());
    assert!(tx.insert_address(one.id, Network::Xrp, "r", Some("1"), NOW).await.unwrap());
    assert!(tx.insert_address(two.id, Network::Xrp, "r", Some("2"), NOW).await.unwrap());
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    let of = tx.address_of(one.id, Network::Btc).await.unwrap();
    assert_eq!(of, Some(("a".to_owned(), None)));
    let of = tx.address_of(two.id, Network::Xrp).await.unwrap();
    assert_eq!(of, Some(("r".to_owned(), Some("2".to_owned()))));
    assert_eq!(tx.address_of(two.id, Network::Eth).await.unwrap(), None);
}

/// A payment is found by address and tag, on the first of the networks for which the address was assigned.
pub(super) async fn found_by_address(stage: &Stage) {
    let (one, two) = (stage.stored("one").await, stage.stored("two").await);
    let mut tx = stage.begin().await;
    tx.insert_address(one.id, Network::Bsc, "0x1", None, NOW).await.unwrap();
    tx.insert_address(two.id, Network::Eth, "0x1", None, NOW).await.unwrap();
    tx.insert_address(one.id, Network::Xlm, "G", Some("12"), NOW).await.unwrap();
    for (network, address, tag, expected) in [
        (Network::Eth, "0x1", None, Some(two.id)),
        (Network::Bsc, "0x1", None, Some(one.id)),
        (Network::Btc, "0x1", None, None),
        (Network::Eth, "0X1", None, None),
        (Network::Xlm, "G", Some("12"), Some(one.id)),
        (Network::Xlm, "G", Some("1"), None),
        (Network::Xlm, "G", None, None),
    ] {
        let found = tx.owners(&[transfer(network, address, tag)]).await.unwrap();
        let expected = expected.map(|payment| Owner { payment, is_new: true, is_gone: false });
        assert_eq!(found, [expected], "{network} {address} {tag:?}");
    }
}

pub(super) async fn each_index_is_returned_once(stage: &Stage) {
    let given = at_once(50, |number| {
        let store = stage.store.clone();
        async move {
            let mut tx = store.begin().await.unwrap();
            let index = tx.next_index([Network::Eth, Network::Bsc][number % 2]).await.unwrap();
            tx.commit().await.unwrap();
            index
        }
    });
    assert_eq!(networks_of_account(Network::Eth).len(), 5, "they share accounts");
    assert_eq!(given.await.into_iter().collect::<BTreeSet<_>>(), (0..50).collect());
    let mut tx = stage.begin().await;
    assert_eq!(tx.next_index(Network::Btc).await.unwrap(), 0);
}

/// More addresses than one query takes; those of both EVM networks are one account.
pub(super) async fn watched(stage: &Stage) {
    let (one, two) = (stage.stored("one").await, stage.stored("two").await);
    let mut tx = stage.begin().await;
    tx.insert_address(one.id, Network::Eth, "0x7", None, NOW).await.unwrap();
    tx.insert_address(one.id, Network::Bsc, "0x7", None, NOW).await.unwrap();
    tx.insert_address(two.id, Network::Bsc, "0x450", None, NOW).await.unwrap();
    tx.insert_address(one.id, Network::Btc, "0x8", None, NOW).await.unwrap();
    tx.commit().await.unwrap();
    let asked: Vec<String> = (0..500).map(|number| format!("0x{number}")).collect();
    for (network, asked, expected) in [
        (Network::Eth, &asked[..], &["0x450", "0x7"][..]),
        (Network::Bsc, &asked, &["0x450", "0x7"]),
        (Network::Btc, &asked, &["0x8"]),
        (Network::Xrp, &asked, &[]),
        (Network::Eth, &asked[7..8], &["0x7"]),
        (Network::Eth, &[], &[]),
    ] {
        let mut ours = stage.store.ours(network, asked).await.unwrap();
        ours.sort_unstable();
        assert_eq!(ours, expected, "{network}, {} addresses", asked.len());
    }
}

/// In pages; and the newest quotes.
pub(super) async fn given(stage: &Stage) {
    let (one, two) = (stage.stored("one").await, stage.stored("two").await);
    let mut tx = stage.begin().await;
    tx.insert_address(one.id, Network::Ltc, "rltc1qb", None, NOW).await.unwrap();
    tx.insert_address(two.id, Network::Ltc, "rltc1qa", None, NOW).await.unwrap();
    tx.insert_address(two.id, Network::Btc, "bc1qc", None, NOW).await.unwrap();
    tx.commit().await.unwrap();
    for (after, limit, expected) in [
        ("", 9, &["rltc1qa", "rltc1qb"][..]),
        ("", 1, &["rltc1qa"]),
        ("rltc1qa", 9, &["rltc1qb"]),
        ("rltc1qb", 9, &[]),
    ] {
        let given = stage.store.given_after(Network::Ltc, after, limit).await.unwrap();
        assert_eq!(given, expected, "{after:?} {limit}");
    }
    let mut tx = stage.begin().await;
    for (place, (address, requested_at)) in
        [("a", NOW), ("b", NOW + 3), ("a", NOW + 9)].into_iter().enumerate()
    {
        let quote = Quote { requested_at, ..quote(address) };
        tx.insert_quote(one.id, place, &quote).await.unwrap();
    }
    tx.commit().await.unwrap();
    for (since, limit, expected) in [
        (NOW, 9, &[("a", NOW + 9), ("b", NOW + 3)][..]),
        (NOW + 4, 9, &[("a", NOW + 9)]),
        (NOW, 1, &[("a", NOW + 9)]),
        (NOW + 10, 9, &[]),
    ] {
        let quoted = stage.store.quoted_since(Network::Btc, since, limit).await.unwrap();
        let quoted: Vec<_> = quoted.iter().map(|(address, at)| (address.as_str(), *at)).collect();
        assert_eq!(quoted, expected, "{since} {limit}");
    }
    assert_eq!(stage.store.quoted_since(Network::Ltc, 0, 9).await.unwrap(), []);
}
