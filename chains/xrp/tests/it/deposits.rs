use checkout_chain_conformance::accounts::{
    self, TestAccount as _, credits, looked_up_as_reported, next_tip, only_report, reads_after_a_downtime,
};
use checkout_chain_doubles::rippled::ledger::LaterPages;
use checkout_core::Currency;
use checkout_domain::ports::Chain as _;
use serde_json::{Value, json};

use super::{OURS, PAYER, World, delivered};

#[tokio::test]
async fn a_payment() {
    let world = World::open().await;
    let tx = json!({"Account": PAYER, "Destination": OURS, "DestinationTag": 495, "SourceTag": 7, "Amount": "25000000"});
    let put = || world.server.ledger().put(tx, delivered(&json!("25000000")));
    let transfer = only_report(&world, put).await;
    assert_eq!(transfer.output.index, 0);
    assert_eq!((transfer.currency, transfer.amount.to_text(6).as_str()), (Currency::Xrp, "25"));
    assert_eq!((transfer.to.as_str(), transfer.tag.as_deref()), (OURS, Some("495")));
    assert_eq!((transfer.from.as_str(), transfer.from_tag.as_deref()), (PAYER, Some("7")));
    assert_eq!(transfer.fee, "0.000012");
    assert!(transfer.seen_at > 1_700_000_000, "{}", transfer.seen_at);
}

#[tokio::test]
async fn a_payment_without_a_tag_is_looked_up_as_it_is_reported() {
    let world = World::open().await;
    let tx = json!({"Account": PAYER, "Destination": OURS, "SourceTag": 7, "Amount": "25000000"});
    let put = || world.server.ledger().put(tx, delivered(&json!("25000000")));
    let transfer = looked_up_as_reported(&world, put).await;
    assert_eq!(
        (transfer.tag, transfer.from.as_str(), transfer.from_tag.as_deref()),
        (None, PAYER, Some("7"))
    );
}

/// Only the amount that arrived counts.
#[tokio::test]
async fn what_is_credited() {
    let world = World::open().await;
    let check = async |tx: Value, meta: Value, expected: &[(&str, Option<&str>)]| {
        let mut all = json!({"Account": PAYER, "Destination": OURS, "Amount": "25000000"});
        all.as_object_mut().unwrap().extend(tx.as_object().unwrap().clone());
        let put = || world.server.ledger().put(all.clone(), meta.clone());
        let have = credits(&world, 6, put).await;
        let expected: Vec<_> =
            expected.iter().map(|(amount, tag)| ((*amount).to_owned(), tag.map(str::to_owned))).collect();
        assert_eq!(have, expected, "{all} {meta}");
    };
    let xrp = || delivered(&json!("25000000"));
    check(json!({"DestinationTag": 495}), xrp(), &[("25", Some("495"))]).await;
    check(json!({"DestinationTag": 0}), xrp(), &[("25", Some("0"))]).await;
    check(json!({"DestinationTag": 4_294_967_295_u32}), xrp(), &[("25", Some("4294967295"))]).await;
    check(json!({}), xrp(), &[("25", None)]).await;
    // tfPartialPayment: the amount is only an upper limit.
    let partial = json!({"Flags": 0x0002_0000, "Amount": "1000000000000", "DestinationTag": 1});
    check(partial, delivered(&json!("1")), &[("0.000001", Some("1"))]).await;
    // API version 2 has DeliverMax instead of Amount.
    check(
        json!({"Amount": null, "DeliverMax": "1000000000000"}),
        delivered(&json!("5")),
        &[("0.000005", None)],
    )
    .await;
    let usd = json!({"currency": "USD", "issuer": PAYER, "value": "25000000"});
    check(json!({"Amount": usd}), delivered(&usd), &[]).await;
    check(json!({"Amount": "1", "SendMax": usd}), delivered(&json!("1")), &[("0.000001", None)]).await;
    for result in ["tecPATH_DRY", "tecUNFUNDED_PAYMENT", "tecDST_TAG_NEEDED"] {
        check(json!({}), json!({"TransactionResult": result}), &[]).await;
    }
    check(json!({"Account": OURS, "Destination": PAYER}), xrp(), &[]).await;
    check(json!({"Account": OURS}), xrp(), &[]).await;
    check(json!({"TransactionType": "AccountDelete", "DestinationTag": 3}), xrp(), &[("25", Some("3"))])
        .await;
    check(json!({"TransactionType": "CheckCreate"}), json!({}), &[]).await;
}

/// More pages than one read takes.
#[tokio::test]
async fn pages() {
    let reads = reads_after_a_downtime(&World::open().await, 40, 60).await;
    assert!(reads > 2, "{reads} reads");
}

/// The server of the second page does not have the ledger in which the first page ended.
#[tokio::test]
async fn a_page_of_a_server_that_is_behind_skips_nothing() {
    let world = World::open().await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    world.deposit(0, 1_000_000);
    world.close(1);
    for tag in 1..=250 {
        world.deposit(tag, 1_000_000);
    }
    world.close(1);
    world.server.ledger().later_pages = LaterPages::Lag;
    let mut reported = world.watched.read(&mut cursor).await.len();
    assert!((1..251).contains(&reported), "{reported}");
    world.server.ledger().later_pages = LaterPages::Given;
    reported += world.watched.read(&mut cursor).await.len();
    assert_eq!(reported, 251);
}

/// A server that reports a wrong tip or lost ledgers.
#[tokio::test]
async fn unsteady_servers() {
    let world = World::open().await;
    let others = async |read_to: u32, cursor: Option<&str>| {
        world.server.ledger().missing = Some(read_to + 50);
        assert!(world.watched.refusal(cursor).await.contains("lacks ledgers"));
        world.server.ledger().missing = None;
        world.server.ledger().first = read_to + 50;
        assert!(world.watched.refusal(cursor).await.contains("lacks ledgers"));
        world.server.ledger().first = read_to + 1;
        world.server.ledger().network = 1;
        assert!(world.watched.refusal(cursor).await.contains("on network 1, and 0 is configured"));
        world.server.ledger().network = 0;
    };
    accounts::unsteady_servers(&world, others).await;
}

/// A quiet account stores its cursor at intervals, not with every ledger.
#[tokio::test]
async fn a_quiet_account() {
    let world = World::open().await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    let mut written = 0;
    for _ in 0..300 {
        world.server.ledger().close();
        let known = cursor.clone();
        world.watched.read(&mut cursor).await;
        written += usize::from(cursor != known);
    }
    assert_eq!(written, 4);
}

#[tokio::test]
async fn the_tip() {
    let world = World::open().await;
    let tip = next_tip(&world).await;
    assert_eq!(tip.height, u64::from(world.last()));
    assert!(tip.time.unwrap() > 1_700_000_000, "{tip:?}");
}

/// The payer's look-up names what arrived and is not credited.
#[tokio::test]
async fn what_is_not_credited_is_found_by_its_transaction() {
    let world = World::open().await;
    let check = async |tx: Value, meta: Value, expected: &[(&str, &str, &str)], unclear: bool| {
        let mut all = json!({"Account": PAYER, "Amount": "25000000"});
        all.as_object_mut().unwrap().extend(tx.as_object().unwrap().clone());
        let id = world.server.ledger().put(all, meta);
        next_tip(&world).await;
        let found = world.watched.chain.look_up(&id).await.unwrap().unwrap();
        let all = found.not_credited.iter();
        let have: Vec<(&str, &str, &str)> =
            all.map(|one| (one.asset.as_str(), one.amount.as_str(), one.to.as_str())).collect();
        assert_eq!((have.as_slice(), found.unclear), (expected, unclear), "{tx}");
    };
    let raised = |kind: &str| {
        json!({"TransactionResult": "tesSUCCESS", "AffectedNodes": [
            {"DeletedNode": {"LedgerEntryType": kind, "FinalFields": {"Destination": OURS, "Amount": "25000000"}}},
            {"ModifiedNode": {"LedgerEntryType": "AccountRoot", "FinalFields": {"Account": OURS, "Balance": "75000000"},
                "PreviousFields": {"Balance": "50000000"}}},
            {"ModifiedNode": {"LedgerEntryType": "AccountRoot", "FinalFields": {"Account": PAYER, "Balance": "7"},
                "PreviousFields": {"Balance": "19"}}},
            {"ModifiedNode": {"LedgerEntryType": "AccountRoot", "FinalFields": {"Account": PAYER}}},
        ]})
    };
    let ours = [("XRP", "25", OURS)];
    check(json!({"TransactionType": "EscrowFinish"}), raised("Escrow"), &ours, false).await;
    check(json!({"TransactionType": "PaymentChannelClaim"}), raised("PayChannel"), &ours, false).await;
    let issued = delivered(&json!({"currency": "USD", "issuer": PAYER, "value": "25"}));
    let usd = format!("USD.{PAYER}");
    check(json!({"Destination": OURS}), issued, &[(usd.as_str(), "25", OURS)], false).await;
    check(json!({"Destination": OURS}), delivered(&json!("25000000")), &[], false).await;
    check(json!({"Destination": OURS}), delivered(&json!("unavailable")), &[], true).await;
}
