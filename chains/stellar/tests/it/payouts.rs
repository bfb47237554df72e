use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::ledgers::{self, pay};
use checkout_chain_doubles::horizon::ledger::Ledger;
use checkout_chain_doubles::{Fault, SignerServer};
use checkout_chain_stellar::{Key, Signer};
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Unsent};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{PAYER, SEED, World, payout};

const NOBODY: &str = "GC2KB7QT6KKBRYOYPUJVCPGNFHR4TBY4XLUPKZ24YATPXOSTU7K67WI7";

/// Sends a payment in the next ledger. Returns the fields of its operation and of its transaction.
async fn sent(world: &World, payout: &Payout) -> (Value, Value) {
    let signed = world.signed(payout).await;
    pay(world, &signed).await;
    let ledger = world.server.ledger();
    let transaction = ledger.transactions[&signed.transaction_id].fields.clone();
    (ledger.operations.last().unwrap().fields.clone(), transaction)
}

/// The server checks the signature.
#[tokio::test]
async fn a_payment_is_sent_once_it_is_in_a_ledger() {
    let world = World::new().await;
    let signed = world.signed(&payout(PAYER, Some("495"), 25_000_000)).await;
    let known = async || world.broadcaster.known(&signed.transaction_id).await.unwrap();
    assert_eq!(known().await, Known::Unknown);
    assert!(world.waits(&signed).await.contains("PENDING"));
    assert!(world.waits(&signed).await.contains("DUPLICATE"));
    world.server.ledger().close();
    world.broadcaster.broadcast(&signed).await.unwrap();
    world.broadcaster.broadcast(&signed).await.unwrap();
    world.server.ledger().close_many(2);
    assert_eq!(known().await, Known::Confirmed(3));
    assert_eq!(world.server.ledger().operations.len(), 1, "any number of broadcasts is one payment");
    assert_eq!((world.balance(PAYER), world.balance(&world.account)), (75_000_000, 974_999_900));
}

#[tokio::test]
async fn memos_and_muxed_accounts() {
    let world = World::new().await;
    let muxed = Address::parse(Network::Xlm, PAYER).unwrap().with_tag(7).unwrap().to_string();
    let refund = |tag| Payout { purpose: Purpose::Refund, ..payout(PAYER, tag, 10_000_000) };
    let check = async |payout: &Payout, memo: (&str, Option<&str>), muxed_id: Option<&str>| {
        let (operation, transaction) = sent(&world, payout).await;
        assert_eq!((transaction["memo_type"].as_str(), transaction["memo"].as_str()), (Some(memo.0), memo.1));
        assert_eq!(operation["to_muxed_id"].as_str(), muxed_id);
    };
    check(&payout(PAYER, None, 10_000_000), ("none", None), None).await;
    check(&payout(PAYER, Some("495"), 10_000_000), ("id", Some("495")), None).await;
    check(&payout(PAYER, Some("0495"), 10_000_000), ("text", Some("0495")), None).await;
    check(&payout(PAYER, Some("order 7"), 10_000_000), ("text", Some("order 7")), None).await;
    // A text of digits, and a hash, as a request with `memoType` keeps them.
    check(&payout(PAYER, Some("\u{2}495"), 10_000_000), ("text", Some("495")), None).await;
    let hash = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";
    let kept = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
    check(&payout(PAYER, Some(hash), 10_000_000), ("hash", Some(kept)), None).await;
    check(&refund(Some("\u{2}42")), ("text", Some("42")), None).await;
    check(&payout(&muxed, None, 10_000_000), ("none", None), Some("7")).await;
    check(&refund(Some("42")), ("none", None), Some("42")).await;
    check(&refund(None), ("none", None), None).await;
    let (operation, transaction) = sent(&world, &payout(NOBODY, Some("1"), 10_000_000)).await;
    assert_eq!((&operation["type"], &operation["account"]), (&"create_account".into(), &NOBODY.into()));
    assert_eq!(transaction["memo"], "1");
    assert_eq!(world.balance(NOBODY), 10_000_000);
}

#[tokio::test]
async fn a_payment_in_a_ledger_is_never_signed_again_whichever_answers_lag() {
    ledgers::never_signed_again_whichever_answers_lag::<World>().await;
}

#[tokio::test]
async fn lost_payments() {
    ledgers::lost_payments::<World>().await;
}

/// Behind a proxy that drops the header, an expired payment waits, with the reason.
#[tokio::test]
async fn a_server_that_does_not_name_its_ledger_does_not_decide() {
    let world = World::new().await;
    let signed = world.signed(&payout(PAYER, None, 10_000_000)).await;
    (world.server.ledger().forgets, world.server.ledger().names_ledger) = (true, false);
    assert!(world.waits(&signed).await.contains("PENDING"));
    world.server.ledger().close_many(60);
    assert!(world.waits(&signed).await.contains("Latest-Ledger"));
    world.server.ledger().names_ledger = true;
    assert!(world.expired(&signed).await.contains("it expired at"));
}

/// Horizon deleted the ledger that includes it: that the payment is missing does not mean that it was not sent.
#[tokio::test]
async fn a_server_without_the_ledgers_of_a_payment_does_not_decide() {
    let world = World::new().await;
    let signed = world.signed(&payout(PAYER, None, 10_000_000)).await;
    let signed_at = world.server.ledger().last;
    world.waits(&signed).await;
    world.server.ledger().close_many(60);
    world.server.ledger().first = signed_at + 2;
    assert!(world.waits(&signed).await.contains("deleted ledgers"));
    world.server.ledger().first = signed_at;
    world.broadcaster.broadcast(&signed).await.unwrap();
    assert_eq!(world.balance(PAYER), 60_000_000);
}

#[tokio::test]
async fn payments_go_one_after_the_other() {
    let world = World::new().await;
    let first = world.signed(&payout(PAYER, None, 10_000_000)).await;
    let second = world.broadcaster.sign(&payout(PAYER, None, 10_000_000)).await;
    assert!(matches!(second, Err(Unsent::Unavailable(_))), "{second:?}");
    world.waits(&first).await;
    world.server.ledger().close();
    let second = world.signed(&payout(PAYER, None, 10_000_000)).await;
    assert_eq!(second.sequence.unwrap().number, first.sequence.unwrap().number + 1);
}

#[tokio::test]
async fn a_payment_that_fails_in_the_ledger() {
    let world = World::new().await;
    let signed = world.signed(&payout(PAYER, None, 10_000_000)).await;
    world.server.ledger().accounts.remove(PAYER);
    world.waits(&signed).await;
    world.server.ledger().close();
    assert!(world.refused(&signed).await.contains("failed in ledger 50000001"));
    assert_eq!(world.broadcaster.known(&signed.transaction_id).await.unwrap(), Known::Reverted(1));
}

#[tokio::test]
async fn payments_that_are_refused_before_signing() {
    let world = World::new().await;
    let check = async |change: fn(&mut Ledger), payout: &Payout, refused: bool, part: &str| {
        change(&mut world.server.ledger());
        let (is_refused, why) = world.unsigned(payout).await;
        assert!(is_refused == refused && why.contains(part), "{why}");
    };
    let usual = payout(PAYER, None, 10_000_000);
    let muxed = Address::parse(Network::Xlm, NOBODY).unwrap().with_tag(7).unwrap().to_string();
    check(|_| {}, &payout(NOBODY, None, 9_999_999), true, "reserve of 10000000 stroops").await;
    check(|_| {}, &payout(&muxed, None, 10_000_000), true, "muxed account cannot be created").await;
    check(|_| {}, &payout("no address", None, 1), true, "no account").await;
    check(|_| {}, &payout(PAYER, Some("twenty-nine bytes of a memo!!"), 1), true, "longer than 28 bytes")
        .await;
    check(|_| {}, &payout(PAYER, None, 990_000_000), false, "needs 990000100").await;
    check(|ledger| ledger.fee = 100_001, &usual, false, "the cap is 100000").await;
    let asks_for_memo = |ledger: &mut Ledger| {
        ledger.fee = 100;
        let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
        ledger.accounts.get_mut(PAYER).unwrap().data.extend([memo]);
    };
    check(asks_for_memo, &usual, true, "SEP-29").await;
    check(|ledger| ledger.passphrase = "other".to_owned(), &usual, false, "the server is on 'other'").await;
    check(|ledger| ledger.fault = Fault::Down, &usual, false, "503").await;
    world.server.ledger().fault = Fault::None;
    world.server.ledger().passphrase = checkout_chain_stellar::MAIN.to_owned();
    let foreign = Signed { transaction_id: "00".repeat(32), bytes: vec![1, 2, 3], sequence: None };
    assert!(world.refused(&foreign).await.contains("no payment of this gateway"));
}

/// The signer has the key; the gateway has the account.
#[tokio::test]
async fn a_signer_elsewhere_signs_a_payment() {
    let account = Key::from_seed(SEED).unwrap().account();
    let elsewhere = SignerServer::start(|message| {
        Some(Key::from_seed(SEED).unwrap().sign(&Sha256::digest(message)).to_vec())
    })
    .await;
    let world = World::signing(Signer::remote(&elsewhere.url, &account).unwrap()).await;
    let signed = world.signed(&payout(PAYER, None, 25_000_000)).await;
    let asked = elsewhere.asked().remove(0);
    assert_eq!((&asked["network"], &asked["account"]), (&json!("XLM"), &json!(account)));
    pay(&world, &signed).await;
}

#[tokio::test]
async fn what_a_signer_elsewhere_answers_is_checked() {
    let account = Key::from_seed(SEED).unwrap().account();
    let check = async |answer: fn(&[u8]) -> Option<Vec<u8>>, said: &str| {
        let signer = SignerServer::start(answer).await;
        let world = World::signing(Signer::remote(&signer.url, &account).unwrap()).await;
        let (is_refused, why) = world.unsigned(&payout(PAYER, None, 25_000_000)).await;
        assert!(!is_refused && why.contains(said), "{why}");
    };
    check(|_| None, "status 403").await;
    check(|_| Some(vec![1; 64]), "not that of").await;
    check(|_| Some(vec![1; 63]), "not that of").await;
    check(|message| Some(Key::from_seed(SEED).unwrap().sign(message).to_vec()), "not that of").await;
    assert!(Signer::remote("http://127.0.0.1", "G").unwrap_err().contains("not an account"));
}

/// SEP-29: an exchange demands a memo. A muxed sender has its own id.
#[tokio::test]
async fn senders_that_cannot_be_refunded() {
    let world = World::new().await;
    let deposit = OutputId { network: Network::Xlm, transaction: "00".repeat(32), index: 0 };
    let refund = |tag| Payout { purpose: Purpose::Refund, ..payout(PAYER, tag, 10_000_000) };
    let judged = async |tag| world.broadcaster.no_refund_address(&refund(tag), &deposit).await.unwrap();
    assert_eq!(judged(None).await, None);
    let memo = ("config.memo_required".to_owned(), "MQ==".to_owned());
    world.server.ledger().accounts.get_mut(PAYER).unwrap().data.extend([memo]);
    assert_eq!(judged(None).await, Some(NoRefundAddress::TagRequired));
    assert_eq!(judged(Some("7")).await, None);
    world.server.ledger().fee = 20_000;
    let fee = world.broadcaster.fee(&refund(None)).await.unwrap().unwrap();
    assert_eq!(fee.normalize().to_string(), "0.002");
    // An address that was given gets its tag as a memo, not as the id of a muxed account.
    let claimed = Payout { claimed: true, ..refund(Some("7")) };
    let signed = world.signed(&claimed).await;
    pay(&world, &signed).await;
}
