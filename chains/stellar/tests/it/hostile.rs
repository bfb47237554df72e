use async_trait::async_trait;
use checkout_chain_conformance::Reader;
use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::horizon;
use checkout_chain_doubles::hostile::{Costs, Odd, Row, row};
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::ports::Chain;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Unsent};
use checkout_domain::ports::rereading::{Reread, Rereading as _};
use serde_json::json;

use super::{OURS, PAYER, World, payment};

#[async_trait]
impl HostileChain for World {
    async fn open() -> Self {
        Self::new().await
    }

    fn rows() -> Vec<Row> {
        horizon::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.watched.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let mut operation = payment("2.5");
        let mut memo = json!({"memo_type": "id", "memo": "495"});
        let effect = |kind: &str, account: &str| json!({"type": kind, "account": account, "amount": "2.5", "asset_type": "native"});
        let mut effects = Vec::new();
        match kind {
            "to others" => {
                operation["from"] = OURS.into();
                operation["to"] = PAYER.into();
            }
            "another asset" => operation["asset_type"] = "credit_alphanum4".into(),
            // Horizon leaves these out of its lists, and servers before it may not.
            "failed" => operation["transaction_successful"] = false.into(),
            "payment" => {}
            kind => {
                let change = json!({"type": "transfer", "from": PAYER, "to": OURS, "amount": "2.5", "asset_type": "native"});
                operation = json!({
                    "type": kind, "account": OURS, "funder": PAYER, "starting_balance": "2.5",
                    "asset_balance_changes": [change]
                });
                if kind == "account_merge" {
                    operation["account"] = PAYER.into();
                    operation["into"] = OURS.into();
                    effects = vec![effect("account_debited", PAYER), effect("account_credited", OURS)];
                    memo = json!({});
                }
            }
        }
        self.server.ledger().put(operation, effects, memo)
    }

    async fn settle(&self) {
        self.close(1);
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

/// An entry is read again only from the operations of its transaction, and only if it is among them.
#[tokio::test]
async fn an_entry_read_again() {
    let check = async |odd| {
        let world = World::new().await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        let id = world.pay("payment").await;
        world.arm(row("payments", Odd::Lacks("/amount"), Costs::Entry), &id).await;
        world.close(1);
        reader.read(&world.watched.chain).await;
        let [entry] = reader.set_aside.as_slice() else { panic!("{odd:?}: {:?}", reader.set_aside) };
        world.arm(row("operations", odd, Costs::Entry), &id).await;
        let again = world.watched.chain.read_again(entry).await;
        assert!(!matches!(again, Ok(Reread::Read(_))), "{odd:?}: {again:?}");
        world.disarm().await;
        let again = world.watched.chain.read_again(entry).await.unwrap();
        assert!(matches!(&again, Reread::Read(transfers) if transfers.len() == 1), "{odd:?}: {again:?}");
    };
    check(Odd::LeftOut).await;
    check(Odd::Says(200, r#"{"_embedded":{"records":[]}}"#)).await;
    check(Odd::Says(404, r#"{"title":"Resource Missing"}"#)).await;
    check(Odd::Is("", "null")).await;
    check(Odd::Is("/transaction_successful", "null")).await;
    check(Odd::Says(200, r#"{"_embedded":{"records":[{"id":"214748368994967297","paging_token":"214748368994967297",
        "type":"manage_data","transaction_hash":"e3fe6ea3d48f0c2b639448020ea4f03d4f4f8ffdb243a852a0f59177921b4879"}]}}"#)).await;
}

/// The list has gone on behind it.
#[tokio::test]
async fn an_entry_that_no_transaction_names_is_read_again() {
    let check = async |odd| {
        let world = World::new().await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        world.pay("payment").await;
        let id = world.pay("payment").await;
        world.arm(row("payments", odd, Costs::Name), &id).await;
        world.pay("payment").await;
        world.close(1);
        reader.read(&world.watched.chain).await;
        assert_eq!((reader.set_aside.len(), reader.known.len()), (1, 2), "{odd:?}: {:?}", reader.set_aside);
        let entry = &reader.set_aside[0];
        let again = world.watched.chain.read_again(entry).await.unwrap();
        assert!(matches!(again, Reread::Still(_)), "{odd:?} {entry:?}: {again:?}");
        world.arm(row("payments", Odd::LeftOut, Costs::Name), &id).await;
        let again = world.watched.chain.read_again(entry).await.unwrap();
        assert!(matches!(again, Reread::Still(_)), "{odd:?} {entry:?}: {again:?}");
        world.disarm().await;
        let again = world.watched.chain.read_again(entry).await.unwrap();
        let Reread::Read(transfers) = &again else { panic!("{odd:?} {entry:?}: {again:?}") };
        assert!(transfers.iter().any(|transfer| transfer.output.transaction == id), "{odd:?}: {transfers:?}");
    };
    check(Odd::Is("", "null")).await;
    check(Odd::Is("", "7")).await;
    check(Odd::Lacks("/transaction_hash")).await;
    check(Odd::Is("/transaction_hash", "7")).await;
}

/// Another operation of its transaction has a number that begins alike.
#[tokio::test]
async fn an_operation_that_is_left_out_is_not_taken_for_another_one() {
    let world = World::new().await;
    let mut reader = Reader::default();
    reader.read(&world.watched.chain).await;
    let id = world.pay("payment").await;
    world.close(1);
    let all = {
        let mut ledger = world.server.ledger();
        let mut twelfth = ledger.operations.last().unwrap().clone();
        twelfth.id += 11;
        twelfth.fields["id"] = twelfth.id.to_string().into();
        twelfth.fields["paging_token"] = twelfth.id.to_string().into();
        twelfth.fields["amount"] = serde_json::Value::Null;
        ledger.operations.push(twelfth);
        ledger.operations.clone()
    };
    reader.read(&world.watched.chain).await;
    let [entry] = reader.set_aside.as_slice() else { panic!("{:?}", reader.set_aside) };
    assert_eq!((entry.transaction.as_str(), entry.part.as_str()), (id.as_str(), "operation 12"));
    world.server.ledger().operations.pop();
    let again = world.watched.chain.read_again(entry).await.unwrap();
    assert!(matches!(again, Reread::Still(_)), "{again:?}");
    world.server.ledger().operations = all;
    world.server.ledger().operations.last_mut().unwrap().fields["amount"] = "2.5".into();
    let again = world.watched.chain.read_again(entry).await.unwrap();
    assert!(matches!(&again, Reread::Read(transfers) if transfers.len() == 2), "{again:?}");
}

/// A contract pays, and the list of its payments is empty when they are read again.
#[tokio::test]
async fn a_balance_change_that_is_left_out_stays_on_the_list() {
    let world = World::new().await;
    let mut reader = Reader::default();
    reader.read(&world.watched.chain).await;
    let id = world.pay("invoke_host_function").await;
    let odd = Odd::Is("/asset_balance_changes/0/amount", "null");
    world.arm(row("payments", odd, Costs::Entry), &id).await;
    world.close(1);
    reader.read(&world.watched.chain).await;
    let [entry] = reader.set_aside.as_slice() else { panic!("{:?}", reader.set_aside) };
    world.arm(row("operations", Odd::Is("/asset_balance_changes", "[]"), Costs::Entry), &id).await;
    let again = world.watched.chain.read_again(entry).await.unwrap();
    assert!(matches!(again, Reread::Still(_)), "{again:?}");
    world.disarm().await;
    let again = world.watched.chain.read_again(entry).await.unwrap();
    assert!(matches!(&again, Reread::Read(transfers) if transfers.len() == 1), "{again:?}");
}

/// The order of the first page, whose odd entry has no number; then what the list says when it is read again.
#[tokio::test]
async fn an_entry_of_a_page_in_another_order_is_read_again() {
    let check = async |order: [usize; 3], repeats: bool| {
        let world = World::new().await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        let mut paid = Vec::new();
        for _ in 0..3 {
            paid.push(world.pay("payment").await);
        }
        world.close(1);
        let whole = world.server.ledger().operations.clone();
        let first = whole.len() - 3;
        {
            let mut ledger = world.server.ledger();
            ledger.operations.truncate(first);
            ledger.operations.extend(order.map(|place| whole[first + place].clone()));
            if repeats {
                let again = whole[first].clone();
                ledger.operations.insert(first, again);
            }
        }
        world.arm(row("payments", Odd::Is("", "null"), Costs::Name), &paid[1]).await;
        reader.read(&world.watched.chain).await;
        assert_eq!((reader.known.len(), reader.set_aside.len()), (2, 1), "{order:?}: {:?}", reader.set_aside);
        world.disarm().await;
        world.server.ledger().operations = whole;
        world.pay("payment").await;
        world.close(1);
        reader.read(&world.watched.chain).await;
        let entry = reader.set_aside.remove(0);
        let again = world.watched.chain.read_again(&entry).await.unwrap();
        let Reread::Read(transfers) = again else { panic!("{order:?} {repeats} {entry:?}: {again:?}") };
        reader.note(transfers, Network::Xlm);
        assert!(reader.known.keys().any(|(id, _)| *id == paid[1]), "{order:?} {repeats} {entry:?}");
        assert_eq!(reader.known.len(), 4, "{order:?}");
    };
    check([0, 1, 2], false).await;
    check([1, 0, 2], false).await;
    check([0, 2, 1], false).await;
    check([0, 1, 2], true).await;
}

/// A server's page can end within a transaction, which pays the same twice.
#[tokio::test]
async fn of_equal_payments_in_a_transaction_each_is_credited_once() {
    for page in [1, 2, 3] {
        let world = World::new().await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        world.pay("payment").await;
        let id = world.pay("payment").await;
        world.close(1);
        {
            let mut ledger = world.server.ledger();
            let mut again = ledger.operations.last().unwrap().clone();
            again.id += 1;
            again.fields["id"] = again.id.to_string().into();
            again.fields["paging_token"] = again.id.to_string().into();
            ledger.operations.push(again);
        }
        world.arm(row("payments", Odd::PageOf(page), Costs::Nothing), "").await;
        reader.read(&world.watched.chain).await;
        for entry in std::mem::take(&mut reader.set_aside) {
            let again = world.watched.chain.read_again(&entry).await.unwrap();
            let Reread::Read(transfers) = again else { panic!("{page}: {again:?}") };
            reader.note(transfers, Network::Xlm);
        }
        let paid = reader.known.values().filter(|known| known.output.transaction == id).count();
        assert_eq!((paid, reader.known.len()), (2, 3), "{page}");
    }
}

/// Nothing that can be read comes after it.
#[tokio::test]
async fn an_odd_entry_alone_is_listed_once() {
    let check = async |odd, credited: usize| {
        let world = World::new().await;
        let mut reader = Reader::default();
        reader.read(&world.watched.chain).await;
        let id = world.pay("payment").await;
        world.arm(row("payments", odd, Costs::Name), &id).await;
        world.close(1);
        for _ in 0..3 {
            reader.read(&world.watched.chain).await;
        }
        assert_eq!((reader.set_aside.len(), reader.known.len()), (1 - credited, credited), "{odd:?}");
        world.disarm().await;
        reader.read(&world.watched.chain).await;
        assert_eq!(reader.known.len(), 1, "{odd:?}");
    };
    check(Odd::Is("", "null"), 0).await;
    check(Odd::Is("/id", "7"), 1).await;
    check(Odd::Is("/id", r#"7,"paging_token":7"#), 0).await;
    check(Odd::Is("/transaction/paging_token", r#""1""#), 0).await;
    check(Odd::Is("/to", "7"), 0).await;
}

/// An answer about another transaction, account or ledger neither settles a payment that was lost nor has it signed again.
#[tokio::test]
async fn an_answer_about_another_one_decides_nothing() {
    const OTHER: &str = r#"{"successful":true,"ledger":50000001,
    "hash":"e3fe6ea3d48f0c2b639448020ea4f03d4f4f8ffdb243a852a0f59177921b4879"}"#;
    let check = async |call, odd| {
        let world = World::new().await;
        let signed = world.signed(&world.payout()).await;
        world.close(World::LIFETIME + 5);
        world.arm(row(call, odd, Costs::Answer), &signed.transaction_id).await;
        let sent = world.broadcaster.broadcast(&signed).await;
        assert!(matches!(sent, Err(Unsent::Unavailable(_))), "{call}: {sent:?}");
        world.disarm().await;
        world.expired(&signed).await;
    };
    check("transaction", Odd::Says(200, OTHER)).await;
    check(
        "account",
        Odd::Head("/account_id", r#""GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ""#),
    )
    .await;
    check("ledger", Odd::Head("/sequence", "1")).await;
}

/// A cursor that the first answer set too far would never be reached.
#[tokio::test]
async fn a_wrong_last_ledger_is_no_start() {
    let world = World::new().await;
    let mut cursor = None;
    world.arm(row("root", Odd::Head("/history_latest_ledger", "4294967295"), Costs::Nothing), "").await;
    world.watched.read(&mut cursor).await;
    world.pay("payment").await;
    world.close(1);
    assert_eq!(world.watched.read(&mut cursor).await.len(), 1);
}

/// A payer or an operator names a transaction, and the operations of another one are no part of it.
#[tokio::test]
async fn the_operations_of_another_transaction_are_not_looked_up() {
    let world = World::new().await;
    let asked = world.pay("payment").await;
    world.close(1);
    let other = r#"{"_embedded":{"records":[{"id":"214748373389938689","paging_token":"214748373389938689",
        "type":"payment","transaction_successful":true,"asset_type":"native","amount":"9.0","created_at":"2025-01-01T00:00:00Z",
        "transaction_hash":"e3fe6ea3d48f0c2b639448020ea4f03d4f4f8ffdb243a852a0f59177921b4879",
        "transaction":{"memo_type":"none","successful":true,"fee_charged":"100"},
        "from":"GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        "to":"GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M"}]}}"#;
    world.arm(row("operations", Odd::Says(200, other), Costs::Answer), &asked).await;
    let found = world.watched.chain.look_up(&asked).await;
    assert!(found.is_err(), "{found:?}");
    world.disarm().await;
    let found = world.watched.chain.look_up(&asked).await.unwrap().unwrap();
    assert_eq!(found.transfers.len(), 1);
}

#[tokio::test]
async fn confirmations_are_counted_to_a_ledger_that_two_answers_have() {
    let world = World::new().await;
    let transaction = world.pay("payment").await;
    world.close(3);
    let output = OutputId { network: Network::Xlm, transaction: transaction.clone(), index: 0 };
    let check = async |call, field, value, expected| {
        world.server.ledger().hostile.arm(row(call, Odd::Head(field, value), Costs::Answer), "");
        assert_eq!(world.watched.chain.confirmations(&output).await.ok(), expected, "{call} {value}");
        let found = world.watched.chain.look_up(&transaction).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{call} {value}");
    };
    for (call, field) in [("root", "/history_latest_ledger"), ("ledgers", "/_embedded/records/0/sequence")] {
        check(call, field, "4294967295", Some(3)).await;
        for value in ["4294967296", "-1", "1.5", r#""7""#, "null"] {
            check(call, field, value, None).await;
        }
    }
}
