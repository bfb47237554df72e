use std::collections::BTreeSet;

use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::ledgers::{self, pay};
use checkout_chain_doubles::rippled::ledger::{Ledger, REQUIRE_TAG};
use checkout_chain_doubles::{Fault, SignerServer};
use checkout_chain_xrp::{Key, Signer};
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Unsent};
use serde_json::{Value, json};

use super::{ED25519, PAYER, SECP256K1, World, payout};

/// The server checks the signatures of both kinds of keys.
#[tokio::test]
async fn a_payment_is_sent_once_it_is_validated() {
    for seed in [ED25519, SECP256K1] {
        let world = World::new(seed).await;
        let signed = world.signed(&payout(PAYER, Some("495"), 25_000_000)).await;
        let known = async || world.broadcaster.known(&signed.transaction_id).await.unwrap();
        assert_eq!(known().await, Known::Unknown);
        assert!(world.waits(&signed).await.contains("tesSUCCESS"));
        assert_eq!(known().await, Known::Pending);
        pay(&world, &signed).await;
        world.broadcaster.broadcast(&signed).await.unwrap();
        world.server.ledger().close_many(2);
        assert_eq!(known().await, Known::Confirmed(3));
        let validated = world.server.ledger().validated.clone();
        assert_eq!(validated.len(), 1, "any number of broadcasts is one payment");
        assert_eq!(validated[0].hash, signed.transaction_id);
        assert_eq!(validated[0].tx["DestinationTag"], 495);
        assert_eq!((world.balance(PAYER), world.balance(&world.account)), (30_000_000, 974_999_990));
    }
}

#[tokio::test]
async fn a_new_account_and_an_address_with_its_tag() {
    let world = World::new(ED25519).await;
    let new = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
    let address = checkout_core::address::Address::parse(Network::Xrp, new).unwrap().with_tag(7).unwrap();
    let signed = world.signed(&payout(&address.to_string(), None, 1_000_000)).await;
    pay(&world, &signed).await;
    assert_eq!(
        (world.balance(new), &world.server.ledger().validated[0].tx["DestinationTag"]),
        (1_000_000, &7.into())
    );
}

/// Nobody else uses the network, so most ledgers are empty, and rippled never says that it searched them all.
#[tokio::test]
async fn a_lost_payment_is_signed_again_on_a_quiet_ledger() {
    let world = World::new(ED25519).await;
    let signed = world.signed(&payout(PAYER, None, 1_000_000)).await;
    world.server.ledger().quiet = true;
    world.server.ledger().close_many(30);
    assert!(world.expired(&signed).await.contains("has not used its number"));
    // That the account's number is unused shows it, whatever else the server lacks.
    let last = world.server.ledger().last;
    world.server.ledger().missing = Some(last - 10);
    assert!(world.expired(&signed).await.contains("has not used its number"));
}

#[tokio::test]
async fn a_payment_in_a_ledger_is_never_signed_again_whichever_answers_lag() {
    ledgers::never_signed_again_whichever_answers_lag::<World>().await;
}

#[tokio::test]
async fn lost_payments() {
    ledgers::lost_payments::<World>().await;
}

/// The account of another network has used no number, either.
#[tokio::test]
async fn a_server_of_another_network_proves_nothing() {
    let world = World::new(ED25519).await;
    let signed = world.signed(&payout(PAYER, None, 1_000_000)).await;
    world.server.ledger().close_many(30);
    world.server.ledger().network = 1;
    assert!(world.waits(&signed).await.contains("on network 1"));
    world.server.ledger().network = 0;
    assert!(world.expired(&signed).await.contains("has not used its number"));
}

/// The operator made tickets with the same account: they take numbers that a stored payment has.
#[tokio::test]
async fn a_payout_whose_number_became_a_ticket_is_signed_again_and_paid_once() {
    let world = World::new(ED25519).await;
    let first = world.signed(&payout(PAYER, None, 1_000_000)).await;
    let ours = world.signed(&payout(PAYER, None, 1_000_000)).await;
    let sequence = |signed: &Signed| signed.sequence.as_ref().unwrap().number;
    let account = first.sequence.as_ref().unwrap().account.clone();
    // `TicketCreate` with the number of the first payment takes the next three.
    let ticket = |number: u64| {
        json!({"CreatedNode": {"LedgerEntryType": "Ticket", "LedgerIndex": "00", "NewFields": {
            "Account": account, "TicketSequence": number}}})
    };
    let made: Vec<Value> = (1..=3).map(|more| ticket(sequence(&first) + more)).collect();
    let transaction = json!({
        "TransactionType": "TicketCreate", "Account": account, "Sequence": sequence(&first), "TicketCount": 3
    });
    let by_hand = world.server.ledger().put(transaction, json!({"AffectedNodes": made}));
    world.server.ledger().accounts.get_mut(&account).unwrap().sequence += 4;
    let at = world.server.ledger().close();
    // Somebody else's ticket with the same number, and a payment with one of the tickets.
    let other = json!({"CreatedNode": {"LedgerEntryType": "Ticket", "NewFields": {
        "Account": PAYER, "TicketSequence": sequence(&ours)}}});
    let used = json!({"Account": account, "Sequence": 0, "TicketSequence": sequence(&first) + 3});
    world.server.ledger().put(used, json!({"AffectedNodes": [other]}));
    world.server.ledger().close();
    world.server.ledger().first = at + 1;
    assert!(world.waits(&ours).await.contains("does not have all ledgers"), "no proof, not signed again");
    world.server.ledger().first = 1000;
    let why = world.expired(&ours).await;
    assert!(why.contains(&by_hand) && why.contains("ticket"), "{why}");
    assert!(world.expired(&first).await.contains(&by_hand), "its number has another transaction");
    world.numbers.stored().clear();
    let next = world.signed(&payout(PAYER, None, 1_000_000)).await;
    assert_eq!(sequence(&next), sequence(&first) + 4);
    pay(&world, &next).await;
    for old in [&first, &ours] {
        let _ = world.broadcaster.broadcast(old).await;
    }
    world.server.ledger().close_many(3);
    assert_eq!(world.balance(PAYER), 6_000_000, "paid once");
}

/// Ten payments are pending at once, each with its own number. A missing one delays those after it only until
/// they expire.
#[tokio::test]
async fn many_at_once() {
    let world = World::new(ED25519).await;
    let mut all = Vec::new();
    for _ in 0..10 {
        all.push(world.signed(&payout(PAYER, None, 1_000_000)).await);
    }
    let eleventh = world.broadcaster.sign(&payout(PAYER, None, 1_000_000)).await;
    assert!(matches!(eleventh, Err(Unsent::Unavailable(_))), "{eleventh:?}");
    for signed in all.iter().skip(1).rev() {
        assert!(world.waits(signed).await.contains("terPRE_SEQ"));
    }
    world.server.ledger().close();
    assert_eq!(world.balance(PAYER), 5_000_000);
    world.waits(&all[0]).await;
    world.server.ledger().close_many(10);
    for signed in &all {
        world.broadcaster.broadcast(signed).await.unwrap();
    }
    assert_eq!(world.balance(PAYER), 15_000_000);
}

/// A restored store knows the first payment alone: the ledger tells the next number, and what was sent is not sent again.
#[tokio::test]
async fn numbers_never_go_back_after_a_restore() {
    let world = World::new(ED25519).await;
    let mut sent = Vec::new();
    for _ in 0..3 {
        sent.push(world.signed(&payout(PAYER, None, 1_000_000)).await);
    }
    let backup = BTreeSet::from([sent[0].sequence.as_ref().unwrap().number]);
    for signed in &sent {
        world.waits(signed).await;
    }
    world.server.ledger().close();
    *world.numbers.stored() = backup;
    world.broadcaster.broadcast(&sent[0]).await.unwrap();
    let next = world.signed(&payout(PAYER, None, 1_000_000)).await;
    assert_eq!(next.sequence.unwrap().number, sent[2].sequence.as_ref().unwrap().number + 1);
    assert_eq!(world.balance(PAYER), 8_000_000, "three payments");
}

/// A payment that failed on the ledger is given up at once.
#[tokio::test]
async fn a_payment_that_fails_on_the_ledger() {
    let world = World::new(SECP256K1).await;
    let signed = world.signed(&payout(PAYER, None, 1_000_000)).await;
    world.server.ledger().accounts.get_mut(PAYER).unwrap().flags = REQUIRE_TAG;
    world.waits(&signed).await;
    world.server.ledger().close();
    assert!(world.refused(&signed).await.contains("tecDST_TAG_NEEDED"));
    assert_eq!(world.broadcaster.known(&signed.transaction_id).await.unwrap(), Known::Reverted(1));
    assert_eq!(world.balance(PAYER), 5_000_000);
}

#[tokio::test]
async fn payments_that_are_refused_before_signing() {
    let world = World::new(ED25519).await;
    let nobody = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
    let check = async |change: fn(&mut Ledger), payout: &Payout, refused: bool, part: &str| {
        change(&mut world.server.ledger());
        let (is_refused, why) = world.unsigned(payout).await;
        assert!(is_refused == refused && why.contains(part), "{why}");
    };
    let usual = payout(PAYER, None, 1_000_000);
    check(|_| {}, &payout(nobody, None, 999_999), true, "reserve of 1000000 drops").await;
    check(|_| {}, &payout("no address", None, 1), true, "no account").await;
    check(|_| {}, &payout(PAYER, Some("4294967296"), 1), true, "no number of 32 bits").await;
    check(|_| {}, &payout(PAYER, None, 999_000_000), false, "needs 999000010").await;
    check(|ledger| ledger.fee = 5_001, &usual, false, "the cap is 5000").await;
    check(|ledger| ledger.network = 1, &usual, false, "on network 1").await;
    let tagged = |ledger: &mut Ledger| {
        (ledger.network, ledger.fee) = (0, 10);
        ledger.accounts.get_mut(PAYER).unwrap().flags = REQUIRE_TAG;
    };
    check(tagged, &usual, true, "requires a destination tag").await;
    check(|ledger| ledger.fault = Fault::Down, &usual, false, "503").await;
    let foreign = Signed { transaction_id: "00".repeat(32), bytes: vec![1, 2, 3], sequence: None };
    world.server.ledger().fault = Fault::None;
    assert!(world.refused(&foreign).await.contains("no payment of this gateway"));
}

/// The signer has the key; the gateway has its public part.
#[tokio::test]
async fn a_signer_elsewhere_signs_the_same_payment() {
    for seed in [ED25519, SECP256K1] {
        let public = *Key::from_seed(seed).unwrap().public();
        let elsewhere =
            SignerServer::start(move |message| Some(Key::from_seed(seed).unwrap().sign(message))).await;
        let remote = Signer::remote(&elsewhere.url, &hex::encode_upper(public)).unwrap();
        let world = World::signing(remote).await;
        let payout = payout(PAYER, None, 25_000_000);
        let signed = world.signed(&payout).await;
        let own = World::new(seed).await.signed(&payout).await;
        assert_eq!(signed, own);
        let asked = elsewhere.asked().remove(0);
        assert_eq!((&asked["network"], &asked["account"]), (&json!("XRP"), &json!(world.account)));
        assert!(asked["message"].as_str().unwrap().starts_with("53545800"), "STX: {asked}");
        pay(&world, &signed).await;
        assert_eq!(world.balance(PAYER), 30_000_000);
    }
}

#[tokio::test]
async fn what_a_signer_elsewhere_answers_is_checked() {
    let public = hex::encode_upper(Key::from_seed(SECP256K1).unwrap().public());
    let check = async |answer: fn(&[u8]) -> Option<Vec<u8>>, said: &str| {
        let signer = SignerServer::start(answer).await;
        let world = World::signing(Signer::remote(&signer.url, &public).unwrap()).await;
        let (is_refused, why) = world.unsigned(&payout(PAYER, None, 25_000_000)).await;
        assert!(!is_refused && why.contains(said), "{why}");
    };
    check(|_| None, "status 403").await;
    check(|_| Some(vec![1; 70]), "not that of rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh").await;
    check(|message| Some(Key::from_seed(ED25519).unwrap().sign(message)), "not that of").await;
    check(|message| Some(Key::from_seed(SECP256K1).unwrap().sign(&message[1..])), "not that of").await;
    assert!(Signer::remote("http://127.0.0.1", &public[2..]).unwrap_err().contains("33 bytes"));
    assert!(Signer::remote("ftp://127.0.0.1", &public).unwrap_err().contains("http://"));
}

/// Accounts of exchanges demand a tag: without it, a refund is lost there.
#[tokio::test]
async fn senders_that_cannot_be_refunded() {
    let world = World::new(SECP256K1).await;
    let deposit = OutputId { network: Network::Xrp, transaction: "00".repeat(32), index: 0 };
    let check = async |flags, tag: Option<&str>, expected| {
        world.server.ledger().accounts.get_mut(PAYER).unwrap().flags = flags;
        let refund = Payout { purpose: Purpose::Refund, ..payout(PAYER, tag, 1_000_000) };
        let have = world.broadcaster.no_refund_address(&refund, &deposit).await.unwrap();
        assert_eq!(have, expected, "{flags:x} {tag:?}");
    };
    check(0, None, None).await;
    check(REQUIRE_TAG, None, Some(NoRefundAddress::TagRequired)).await;
    check(REQUIRE_TAG, Some("7"), None).await;
    // lsfDepositAuth
    check(0x0100_0000, None, Some(NoRefundAddress::Closed)).await;
    let fee = async || world.broadcaster.fee(&payout(PAYER, None, 1_000_000)).await;
    world.server.ledger().fee = 1_200;
    assert_eq!(fee().await.unwrap().unwrap().normalize().to_string(), "0.0012");
    // Above the cap the refund waits, as its payment would.
    world.server.ledger().fee = 12_000;
    assert!(matches!(fee().await, Err(Unsent::Unavailable(_))));
}
