use async_trait::async_trait;
use checkout_chain_conformance::Reader;
use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::hostile::{Costs, Odd, Row, row};
use checkout_chain_doubles::rippled::{self, ledger::LaterPages};
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::ports::Chain;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Unsent};
use checkout_domain::ports::rereading::{Reread, Rereading as _};
use serde_json::json;

use super::{OURS, PAYER, World, delivered};

#[async_trait]
impl HostileChain for World {
    async fn open() -> Self {
        Self::new(super::ED25519).await
    }

    fn rows() -> Vec<Row> {
        rippled::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.watched.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let mut tx = json!({"Destination": OURS, "DestinationTag": 495, "Amount": "25000000"});
        let mut meta = delivered(&json!("25000000"));
        match kind {
            "to others" => {
                tx["Account"] = OURS.into();
                tx["Destination"] = PAYER.into();
            }
            "failed" => meta["TransactionResult"] = "tecPATH_DRY".into(),
            "payment" => {}
            "OfferCreate" => {
                tx["TransactionType"] = kind.into();
                meta = json!({});
            }
            kind => tx["TransactionType"] = kind.into(),
        }
        self.server.ledger().put(tx, meta)
    }

    /// The second ledger is empty.
    async fn settle(&self) {
        self.close(2);
    }

    async fn arm(&self, row: Row, transaction: &str) {
        self.server.ledger().hostile.arm(row, transaction);
    }

    async fn disarm(&self) {
        self.server.ledger().hostile.disarm();
    }
}

#[tokio::test]
async fn hostile_answers() {
    hostile::all::<World>().await;
}

/// The last entry of a read names a place far behind its own, and its ledger goes on.
#[tokio::test]
async fn an_odd_place_skips_nothing() {
    let world = World::new(super::ED25519).await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    let mut fifth = String::new();
    for number in 1..=8 {
        let id = world.pay("payment").await;
        if number == 5 {
            fifth = id;
        }
    }
    world.close(1);
    {
        let mut ledger = world.server.ledger();
        ledger.page = 1;
        ledger
            .hostile
            .arm(row("account_tx", Odd::Is("/meta/TransactionIndex", "77"), Costs::Nothing), &fifth);
    }
    assert_eq!(world.watched.read(&mut cursor).await.len(), 8);
}

/// All pages but the first are refused.
#[tokio::test]
async fn a_refused_page_costs_none_before_it() {
    let world = World::new(super::ED25519).await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    for _ in 0..2 {
        for _ in 0..150 {
            world.pay("payment").await;
        }
        world.close(1);
    }
    world.server.ledger().later_pages = LaterPages::Refused;
    assert_eq!(world.watched.read(&mut cursor).await.len(), 300);
}

/// Two payments of one sender are alike but for their numbers, and the first is listed under the hash of the second.
#[tokio::test]
async fn the_hash_of_another_payment() {
    let world = World::new(super::ED25519).await;
    let mut reader = Reader::default();
    reader.read(&world.watched.chain).await;
    let paid = [world.pay("payment").await, world.pay("payment").await];
    let hash: &'static str = Box::leak(format!("\"{}\"", paid[1]).into_boxed_str());
    world.arm(row("account_tx", Odd::Is("/tx/hash", hash), Costs::Name), &paid[0]).await;
    world.close(1);
    reader.read(&world.watched.chain).await;
    let credited = |reader: &Reader| reader.known.keys().map(|(hash, _)| hash.clone()).collect::<Vec<_>>();
    assert_eq!(credited(&reader), paid[1..]);
    let [entry] = reader.set_aside.as_slice() else { panic!("{:?}", reader.set_aside) };
    world.disarm().await;
    let Ok(Reread::Read(transfers)) = world.watched.chain.read_again(entry).await else {
        panic!("it is read")
    };
    let read: Vec<_> = transfers.into_iter().map(|transfer| transfer.output.transaction).collect();
    assert_eq!(read, paid[..1]);
}

/// Whatever its name is, an entry is read again from the list of its ledger, and stays listed while that has it not or as odd.
#[tokio::test]
async fn an_entry_without_a_hash_is_read_again() {
    let check = async |odd| {
        let world = World::new(super::ED25519).await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        let paid = [world.pay("payment").await, world.pay("payment").await, world.pay("payment").await];
        world.arm(row("account_tx", odd, Costs::Name), &paid[1]).await;
        world.close(2);
        reader.read(&world.watched.chain).await;
        let [entry] = reader.set_aside.as_slice() else { panic!("{odd:?}: {:?}", reader.set_aside) };
        let again = world.watched.chain.read_again(entry).await;
        assert!(matches!(again, Ok(Reread::Still(_))), "{odd:?}: {again:?}");
        world.arm(row("account_tx", Odd::LeftOut, Costs::Name), &paid[1]).await;
        let again = world.watched.chain.read_again(entry).await;
        assert!(matches!(again, Ok(Reread::Still(_))), "{odd:?}: {again:?}");
        world.disarm().await;
        let again = world.watched.chain.read_again(entry).await;
        let Ok(Reread::Read(transfers)) = again else { panic!("{odd:?}: {again:?}") };
        assert!(transfers.iter().any(|transfer| transfer.output.transaction == paid[1]), "{odd:?}");
    };
    check(Odd::Is("/tx/hash", "null")).await;
    check(Odd::Is("/tx", "null")).await;
    check(Odd::Is("", "null")).await;
    check(Odd::Is("", "[]")).await;
    check(Odd::Is("/tx/hash", r#""E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879""#)).await;
}

/// The read before it ended within its ledger.
#[tokio::test]
async fn what_was_read_of_a_ledger_does_not_stand_for_an_entry_that_is_left_out() {
    for place in [2, 5, 6, 7] {
        let world = World::new(super::ED25519).await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        let mut paid = Vec::new();
        for _ in 0..8 {
            paid.push(world.pay("payment").await);
        }
        world.close(2);
        world.server.ledger().page = 1;
        world.arm(row("account_tx", Odd::Is("", "null"), Costs::Name), &paid[place]).await;
        reader.read(&world.watched.chain).await;
        assert_eq!(reader.known.len(), 7, "{place}: {:?}", reader.set_aside);
        for entry in std::mem::take(&mut reader.set_aside) {
            world.arm(row("account_tx", Odd::LeftOut, Costs::Name), &paid[place]).await;
            let again = world.watched.chain.read_again(&entry).await;
            assert!(matches!(again, Ok(Reread::Still(_))), "{place} {entry:?}: {again:?}");
            world.disarm().await;
            let again = world.watched.chain.read_again(&entry).await;
            let Ok(Reread::Read(transfers)) = again else { panic!("{place} {entry:?}: {again:?}") };
            assert!(transfers.iter().any(|transfer| transfer.output.transaction == paid[place]), "{place}");
        }
    }
}

/// Many ledgers without an entry move the cursor only if the account did not change in them.
#[tokio::test]
async fn an_empty_list_of_another_network_skips_nothing() {
    let world = World::new(super::ED25519).await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    let paid = world.pay("payment").await;
    world.close(100);
    world.arm(row("account_tx", Odd::LeftOut, Costs::Answer), &paid).await;
    assert!(world.watched.refusal(cursor.as_deref()).await.contains("which changed the account"));
    world.disarm().await;
    assert_eq!(world.watched.read(&mut cursor).await.len(), 1);
}

/// The server of the list has the other network's payment by its hash, too.
#[tokio::test]
async fn a_payment_on_another_network_is_none_here() {
    let world = World::new(super::ED25519).await;
    let mut cursor = None;
    world.watched.read(&mut cursor).await;
    world.server.ledger().lag(&["server_info", "account_info"]);
    if let Some(here) = &mut world.server.ledger().lagging {
        here.0.close();
    }
    world.pay("payment").await;
    world.close(1);
    assert!(world.watched.refusal(cursor.as_deref()).await.contains("changed the account"));
    world.server.ledger().lagging = None;
    assert_eq!(world.watched.read(&mut cursor).await.len(), 1);
}

/// An entry is read again only from the answer about it, once a ledger is validated that has it.
#[tokio::test]
async fn an_entry_read_again() {
    let check = async |kind, odd| {
        let world = World::new(super::ED25519).await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        let id = world.pay(kind).await;
        world.arm(row("account_tx", Odd::Is("/validated", "false"), Costs::Entry), &id).await;
        world.close(1);
        reader.read(&world.watched.chain).await;
        let [entry] = reader.set_aside.as_slice() else { panic!("{kind}, {odd:?}: {:?}", reader.set_aside) };
        world.arm(row("tx", odd, Costs::Entry), &id).await;
        let again = world.watched.chain.read_again(entry).await;
        assert!(!matches!(again, Ok(Reread::Read(_))), "{kind}, {odd:?}: {again:?}");
        world.disarm().await;
        let again = world.watched.chain.read_again(entry).await.unwrap();
        let Reread::Read(transfers) = again else { panic!("{kind}, {odd:?}: {again:?}") };
        assert_eq!(transfers.len(), usize::from(kind == "payment"), "{kind}, {odd:?}");
    };
    let other = r#"{"result":{"status":"success","validated":true,"TransactionType":"OfferCreate",
        "hash":"E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879","meta":{"TransactionResult":"tesSUCCESS"}}}"#;
    for kind in ["payment", "failed"] {
        check(kind, Odd::Is("/validated", "false")).await;
        check(kind, Odd::Says(200, other)).await;
        check(kind, Odd::Says(200, r#"{"result":{"status":"success"}}"#)).await;
        check(kind, Odd::Is("/meta", r#""201C0000""#)).await;
    }
}

/// An answer about another transaction, account or ledger neither settles a payment that was lost nor has it signed again.
#[tokio::test]
async fn an_answer_about_another_one_decides_nothing() {
    const OTHER: &str = r#"{"result":{"status":"success","validated":true,"ledger_index":90000001,
    "hash":"E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879","meta":{"TransactionResult":"tesSUCCESS"}}}"#;
    let check = async |call, odd| {
        let world = World::new(super::ED25519).await;
        let signed = world.signed(&world.payout()).await;
        world.close(World::LIFETIME + 5);
        world.arm(row(call, odd, Costs::Answer), &signed.transaction_id).await;
        let sent = world.broadcaster.broadcast(&signed).await;
        assert!(matches!(sent, Err(Unsent::Unavailable(_))), "{call}: {sent:?}");
        world.disarm().await;
        world.expired(&signed).await;
    };
    check("tx", Odd::Says(200, OTHER)).await;
    check("account_info", Odd::Head("/account_data/Account", r#""rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY""#))
        .await;
}

/// A cursor that the first answer set too far would never be reached.
#[tokio::test]
async fn a_wrong_last_ledger_is_no_start() {
    let world = World::new(super::ED25519).await;
    let odd = Odd::Head("/info/validated_ledger/seq", "4294967295");
    world.arm(row("server_info", odd, Costs::Answer), "").await;
    assert!(world.watched.refusal(None).await.contains("lacks ledgers"));
}

#[tokio::test]
async fn confirmations_are_counted_to_a_ledger_that_two_answers_have() {
    let world = World::new(super::ED25519).await;
    let transaction = world.pay("payment").await;
    world.close(3);
    let output = OutputId { network: Network::Xrp, transaction: transaction.clone(), index: 0 };
    let check = async |call, field, value, expected| {
        world.server.ledger().hostile.arm(row(call, Odd::Head(field, value), Costs::Answer), "");
        assert_eq!(world.watched.chain.confirmations(&output).await.ok(), expected, "{call} {value}");
        let found = world.watched.chain.look_up(&transaction).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{call} {value}");
    };
    for (call, field) in [("server_info", "/info/validated_ledger/seq"), ("ledger", "/ledger_index")] {
        check(call, field, "4294967295", Some(3)).await;
        for value in ["4294967296", "-1", "1.5", r#""7""#, "null"] {
            check(call, field, value, None).await;
        }
    }
}
