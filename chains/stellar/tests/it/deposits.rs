use checkout_chain_conformance::accounts::{
    self, TestAccount as _, credits, looked_up_as_reported, next_tip, only_report, reads_after_a_downtime,
    received,
};
use checkout_core::Currency;
use checkout_domain::ports::Chain as _;
use serde_json::{Value, json};

use super::{OURS, PAYER, World, payment};

#[tokio::test]
async fn a_payment() {
    let world = World::new().await;
    let transfer = only_report(&world, || world.deposit(495, 25_000_000)).await;
    assert_eq!(transfer.output.index, 1);
    assert_eq!((transfer.currency, transfer.amount.to_text(7).as_str()), (Currency::Xlm, "2.5"));
    assert_eq!((transfer.to.as_str(), transfer.tag.as_deref()), (OURS, Some("495")));
    assert_eq!((transfer.from.as_str(), transfer.from_tag), (PAYER, None));
    assert_eq!((transfer.fee.as_str(), transfer.seen_at), ("0.00001", 1_750_000_005));
}

#[tokio::test]
async fn a_payment_without_a_memo_is_looked_up_as_it_is_reported() {
    let world = World::new().await;
    let mut muxed = payment("2.5");
    muxed["from_muxed_id"] = json!("42");
    let transfer =
        looked_up_as_reported(&world, || world.server.ledger().put(muxed, vec![], json!({}))).await;
    assert_eq!((transfer.tag, transfer.output.index, transfer.from_tag.as_deref()), (None, 1, Some("42")));
}

/// A fee-bump transaction is found by two hashes, and is one transaction.
#[tokio::test]
async fn a_fee_bump_transaction_is_looked_up_by_either_hash() {
    let world = World::new().await;
    let inner = "ab".repeat(32);
    let bumped = json!({"inner_transaction": {"hash": inner, "max_fee": "100", "signatures": ["Hh4e"]}});
    let put = || world.server.ledger().put(payment("2.5"), vec![], bumped);
    let transfer = looked_up_as_reported(&world, put).await;
    assert_ne!(transfer.output.transaction, inner);
    let found = world.watched.chain.look_up(&inner).await.unwrap().expect("it is known");
    assert_eq!(received(&world, &found), [transfer]);
}

/// Only the amount that arrived counts.
#[tokio::test]
async fn what_is_credited() {
    let world = World::new().await;
    let check = async |operation: Value, transaction: Value, expected: &[(&str, Option<&str>)]| {
        let credited = json!({"type": "account_credited", "account": OURS, "amount": "99.5000000", "asset_type": "native"});
        let debited = json!({"type": "account_debited", "account": PAYER, "amount": "99.5000000", "asset_type": "native"});
        let merged = json!({"type": "account_credited", "account": PAYER, "amount": "99.5000000", "asset_type": "native"});
        let effects = vec![debited, credited, merged];
        let put = || world.server.ledger().put(operation.clone(), effects, transaction.clone());
        let have = credits(&world, 7, put).await;
        let expected: Vec<_> =
            expected.iter().map(|(amount, tag)| ((*amount).to_owned(), tag.map(str::to_owned))).collect();
        assert_eq!(have, expected, "{operation} {transaction}");
    };
    let with = |fields: Value| {
        let mut all = payment("2.5000000");
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    let plain = || with(json!({}));
    let none = || json!({});
    check(
        plain(),
        json!({"memo_type": "id", "memo": "18446744073709551615"}),
        &[("2.5", Some("18446744073709551615"))],
    )
    .await;
    check(plain(), json!({"memo_type": "text", "memo": "order 7"}), &[("2.5", Some("order 7"))]).await;
    check(plain(), json!({"memo_type": "text", "memo": ""}), &[("2.5", None)]).await;
    let hash = json!({"memo_type": "hash", "memo": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="});
    let hex = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";
    check(plain(), hash.clone(), &[("2.5", Some(hex))]).await;
    let given_back = json!({"memo_type": "return", "memo": hash["memo"]});
    check(plain(), given_back, &[("2.5", None)]).await;
    check(plain(), none(), &[("2.5", None)]).await;
    // The id of a muxed account counts; a memo next to it does not.
    check(
        with(json!({"to_muxed": "M…", "to_muxed_id": "7"})),
        json!({"memo_type": "id", "memo": "8"}),
        &[("2.5", Some("7"))],
    )
    .await;
    check(with(json!({"to_muxed_id": "0"})), none(), &[("2.5", Some("0"))]).await;
    let usd = json!({"asset_type": "credit_alphanum4", "asset_code": "XLM", "asset_issuer": PAYER});
    check(with(usd), none(), &[]).await;
    check(with(json!({"to": PAYER, "from": OURS})), none(), &[]).await;
    check(with(json!({"from": OURS})), none(), &[]).await;
    check(plain(), json!({"successful": false}), &[]).await;
    let receive = json!({"type": "path_payment_strict_receive", "source_amount": "900.0", "source_asset_type": "credit_alphanum4"});
    check(with(receive), none(), &[("2.5", None)]).await;
    let send = json!({"type": "path_payment_strict_send", "source_amount": "900.0", "source_asset_type": "native", "destination_min": "1.0"});
    check(with(send.clone()), none(), &[("2.5", None)]).await;
    let mut to_usd = with(send);
    to_usd["asset_type"] = json!("credit_alphanum4");
    check(to_usd, none(), &[]).await;
    let merge = json!({"type": "account_merge", "account": PAYER, "into": OURS, "into_muxed_id": "9"});
    check(merge, none(), &[("99.5", Some("9"))]).await;
    let merged_away = json!({"type": "account_merge", "account": OURS, "into": PAYER});
    check(merged_away, none(), &[]).await;
    let creation =
        json!({"type": "create_account", "funder": PAYER, "account": OURS, "starting_balance": "3.0000000"});
    check(creation, json!({"memo_type": "id", "memo": "1"}), &[("3", Some("1"))]).await;
    let moved = |to: &str, amount: &str, asset: &str| json!({"type": "transfer", "from": PAYER, "to": to, "amount": amount, "asset_type": asset});
    let contract = json!({"type": "invoke_host_function", "asset_balance_changes": [
        moved(OURS, "1.0", "native"), moved(OURS, "2.0", "credit_alphanum4"), moved(PAYER, "4.0", "native"), moved(OURS, "8.0", "native")
    ]});
    check(contract, none(), &[("1", None), ("8", None)]).await;
}

/// Two credits of one transaction are two outputs. The id of a muxed sender is kept for a refund.
#[tokio::test]
async fn outputs_and_senders() {
    let world = World::new().await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    let change =
        json!({"type": "transfer", "from": PAYER, "to": OURS, "amount": "1.0", "asset_type": "native"});
    let contract = json!({"type": "invoke_host_function", "asset_balance_changes": [change, change]});
    world.server.ledger().put(contract, vec![], json!({}));
    let mut muxed = payment("1.0");
    muxed["from_muxed_id"] = json!("42");
    world.server.ledger().put(muxed, vec![], json!({}));
    world.server.ledger().close();
    let [one, two, three] = world.watched.read(&mut cursor).await.try_into().unwrap();
    assert_eq!(one.output.transaction, two.output.transaction);
    assert_ne!(one.output.index, two.output.index);
    assert_eq!((three.from.as_str(), three.from_tag.as_deref()), (PAYER, Some("42")));
}

#[tokio::test]
async fn pages() {
    assert_eq!(reads_after_a_downtime(&World::new().await, 13, 50).await, 5);
}

#[tokio::test]
async fn unsteady_servers() {
    let world = World::new().await;
    let others = async |read_to: u32, cursor: Option<&str>| {
        let first = std::mem::replace(&mut world.server.ledger().first, read_to + 50);
        assert!(world.watched.refusal(cursor).await.contains("longer history"));
        world.server.ledger().first = first;
        let test = "Test SDF Network ; September 2015".to_owned();
        let main = std::mem::replace(&mut world.server.ledger().passphrase, test);
        assert!(world.watched.refusal(cursor).await.contains("the server is on 'Test SDF Network"));
        world.server.ledger().passphrase = main;
    };
    accounts::unsteady_servers(&world, others).await;
}

/// The cursor of a quiet account stays a day behind, so that a server that prunes old ledgers still has what
/// is unread.
#[tokio::test]
async fn a_quiet_account() {
    let world = World::new().await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    let start = cursor.clone();
    world.server.ledger().last += 17_280;
    world.watched.read(&mut cursor).await;
    assert_eq!(cursor, start);
    world.server.ledger().last += 100;
    world.watched.read(&mut cursor).await;
    assert_ne!(cursor, start);
    world.server.ledger().first = 50_000_050;
    world.deposit(1, 10_000_000);
    world.server.ledger().close();
    assert_eq!(world.watched.read(&mut cursor).await.len(), 1);
}

#[tokio::test]
async fn the_tip() {
    let tip = next_tip(&World::new().await).await;
    assert_eq!((tip.height, tip.time), (50_000_001, Some(1_750_000_005)));
}
