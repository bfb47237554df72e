use checkout_chain_doubles::Fault;
use checkout_core::{Currency, Network};
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ports::Chain as _;
use serde_json::{Value, json};

use super::{OURS, PAYER, World, delivered};

#[tokio::test]
async fn a_payment() {
    let world = World::new().await;
    let mut cursor = None;
    assert_eq!(world.read(&mut cursor).await, []);
    let tx = json!({"Account": PAYER, "Destination": OURS, "DestinationTag": 495, "SourceTag": 7, "Amount": "25000000"});
    let hash = world.server.ledger().put(tx, delivered(&json!("25000000")));
    assert_eq!(world.read(&mut cursor).await, [], "an unvalidated payment is not a deposit");
    world.server.ledger().close();
    let [transfer] = world.read(&mut cursor).await.try_into().unwrap();
    assert_eq!(transfer.output, OutputId { network: Network::Xrp, transaction: hash, index: 0 });
    assert_eq!((transfer.currency, transfer.amount.to_text(6).as_str()), (Currency::Xrp, "25"));
    assert_eq!((transfer.to.as_str(), transfer.tag.as_deref()), (OURS, Some("495")));
    assert_eq!((transfer.from.as_str(), transfer.from_tag.as_deref()), (PAYER, Some("7")));
    assert_eq!((transfer.fee.as_str(), transfer.state), ("0.000012", OutputState::Confirmed));
    assert!(transfer.seen_at > 1_700_000_000, "{}", transfer.seen_at);
    assert_eq!(world.read(&mut cursor).await, [], "once");
    assert_eq!(world.chain.confirmations(&transfer.output).await.unwrap(), 1);
    world.server.ledger().close_many(4);
    assert_eq!(world.chain.confirmations(&transfer.output).await.unwrap(), 5);
    let other = OutputId { transaction: "00".repeat(32), ..transfer.output };
    assert_eq!(world.chain.confirmations(&other).await.unwrap(), 0);
}

/// Only the amount that arrived counts.
#[tokio::test]
async fn what_is_credited() {
    let world = World::new().await;
    let check = async |tx: Value, meta: Value, expected: &[(&str, Option<&str>)]| {
        let mut cursor = None;
        world.read(&mut cursor).await;
        let mut all = json!({"Account": PAYER, "Destination": OURS, "Amount": "25000000"});
        all.as_object_mut().unwrap().extend(tx.as_object().unwrap().clone());
        world.server.ledger().put(all.clone(), meta.clone());
        world.server.ledger().close();
        let have: Vec<(String, Option<String>)> = world
            .read(&mut cursor)
            .await
            .into_iter()
            .map(|found| (found.amount.to_text(6), found.tag))
            .collect();
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

/// An answer without the delivered amount is an error; the transaction is not skipped.
#[tokio::test]
async fn without_a_delivered_amount() {
    let world = World::new().await;
    for amount in [Value::Null, json!("unavailable"), json!("1.5"), json!("-1")] {
        let mut cursor = None;
        world.read(&mut cursor).await;
        world.server.ledger().put(json!({"Destination": OURS, "Amount": "1"}), delivered(&amount));
        world.server.ledger().close();
        assert!(world.refusal(cursor.as_deref()).await.contains("deliver"), "{amount}");
    }
}

/// More pages than one read takes, with a restart after each read.
#[tokio::test]
async fn pages() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let mut sent = Vec::new();
    for ledger in 0..40 {
        for number in 0..60 {
            sent.push(world.pay(ledger, &(number + 1).to_string()));
        }
        world.server.ledger().close();
    }
    let (found, looks) = world.read_twice(cursor).await;
    assert!(looks > 2, "{looks} looks");
    assert_eq!(found, sent);
}

/// A server that is behind, reports a wrong tip or lost ledgers causes neither repeats nor gaps.
#[tokio::test]
async fn unsteady_servers() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let first = world.pay(1, "1");
    world.server.ledger().close();
    assert_eq!(world.read(&mut cursor).await[0].output.transaction, first);
    let read_to = world.server.ledger().last;
    let known = cursor.clone();
    world.server.ledger().last = read_to - 50;
    assert_eq!((world.read(&mut cursor).await, &cursor), (vec![], &known), "an older ledger changes nothing");
    world.server.ledger().last = read_to;
    let second = world.pay(2, "2");
    world.server.ledger().close_many(100);
    for fault in [Fault::Down, Fault::Limited, Fault::Garbled] {
        world.server.ledger().fault = fault;
        world.refusal(cursor.as_deref()).await;
        if fault == Fault::Limited {
            assert!(world.refusal(cursor.as_deref()).await.contains("it is asked again in"));
            tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        }
    }
    world.server.ledger().fault = Fault::None;
    world.server.ledger().missing = Some(read_to + 50);
    assert!(world.refusal(cursor.as_deref()).await.contains("lacks ledgers"));
    world.server.ledger().missing = None;
    world.server.ledger().first = read_to + 50;
    assert!(world.refusal(cursor.as_deref()).await.contains("lacks ledgers"));
    world.server.ledger().first = read_to + 1;
    world.server.ledger().network = 1;
    assert!(world.refusal(cursor.as_deref()).await.contains("on network 1, and 0 is configured"));
    world.server.ledger().network = 0;
    let [transfer] = world.read(&mut cursor).await.try_into().unwrap();
    assert_eq!(transfer.output.transaction, second);
    assert_eq!(world.read(&mut cursor).await, []);
}

/// A quiet account stores its cursor at intervals, not with every ledger.
#[tokio::test]
async fn a_quiet_account() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let mut written = 0;
    for _ in 0..300 {
        world.server.ledger().close();
        let known = cursor.clone();
        world.read(&mut cursor).await;
        written += usize::from(cursor != known);
    }
    assert_eq!(written, 4);
}

#[tokio::test]
async fn the_tip() {
    let world = World::new().await;
    let before = world.chain.tip().await.unwrap();
    let height = world.server.ledger().close();
    let tip = world.chain.tip().await.unwrap();
    assert_eq!(tip.height, u64::from(height));
    assert!(tip.hash != before.hash && tip.hash.len() == 64, "{tip:?}");
    assert!(tip.time.unwrap() > 1_700_000_000, "{tip:?}");
}
