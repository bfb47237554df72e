//! What was set aside is read again, and nothing beside it changes.

use checkout_chain_conformance::Reader;
use checkout_chain_doubles::hostile::{Costs, Odd, row};
use checkout_chain_doubles::trongrid::chain::{USDC, USDT, log};
use checkout_core::Network;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::ports::Chain as _;
use checkout_domain::ports::rereading::{Reread, Rereading as _};
use serde_json::json;

use super::{OURS, PAYER, World, hex};

/// Of a transaction with two transfers to us one log is odd.
#[tokio::test]
async fn the_other_transfer_of_the_transaction_stays_as_it_is() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let (ours, payer) = (hex(OURS), hex(PAYER));
    let logs = [log(USDT, &payer, &ours, 5), log(USDC, &payer, &ours, 6)];
    let id = world.server.chain().put(&logs, "SUCCESS");
    world.server.chain().hostile.arm(row("*", Odd::Is("/log/1/data", "null"), Costs::Entry), &id);
    world.server.chain().close();
    let changes = world.chain.changes(cursor.as_deref()).await.unwrap();
    let [seen] = changes.transfers.try_into().unwrap();
    assert_eq!((seen.output.index, seen.state), (0, OutputState::Confirmed));
    let [entry] = changes.set_aside.try_into().unwrap();
    assert_eq!((entry.transaction.as_str(), entry.part.as_str()), (id.as_str(), "log 1"));
    // Now the other log is odd.
    world.server.chain().hostile.arm(row("*", Odd::Is("/log/0/data", "null"), Costs::Entry), &id);
    let Reread::Read(transfers) = world.chain.read_again(&entry).await.unwrap() else { panic!("it is read") };
    let rejoined = world.chain.rejoin(&changes.cursor, &entry, transfers).await.unwrap().unwrap();
    let indices: Vec<u32> = rejoined.transfers.iter().map(|transfer| transfer.output.index).collect();
    assert_eq!(indices, [1]);
    world.server.chain().hostile.disarm();
    cursor = Some(rejoined.cursor);
    let [confirmed] = world.read(&mut cursor).await.try_into().unwrap();
    assert_eq!((confirmed.output.index, confirmed.state), (1, OutputState::Confirmed));
}

/// The effects of more than 50 transactions are missing: once their block is solidified, it is listed in their place.
#[tokio::test]
async fn a_block_without_effects_is_one_entry() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let (ours, payer) = (hex(OURS), hex(PAYER));
    let (paid, effects) = {
        let mut chain = world.server.chain();
        let paid = [5, 6].map(|amount| chain.put(&[log(USDT, &payer, &ours, amount)], "SUCCESS"));
        for _ in 0..60 {
            chain.put(&[log(USDT, &ours, &payer, 1)], "SUCCESS");
        }
        chain.produce();
        let made = &mut chain.blocks.last_mut().unwrap().transactions[1..];
        (paid, made.iter_mut().map(|one| std::mem::replace(&mut one.info, json!({}))).collect::<Vec<_>>())
    };
    assert!(world.refusal(cursor.as_deref()).await.contains("has 62 transactions, and 1 are answered"));
    {
        let mut chain = world.server.chain();
        chain.solidify_all();
        chain.put(&[log(USDT, &payer, &ours, 7)], "SUCCESS");
        chain.close();
    }
    let changes = world.chain.changes(cursor.as_deref()).await.unwrap();
    let amounts = |found: &[Transfer]| {
        found.iter().map(|found| (found.amount.atoms(), found.state)).collect::<Vec<_>>()
    };
    assert_eq!(amounts(&changes.transfers), [(5, OutputState::Confirmed), (7, OutputState::Confirmed)]);
    let [entry] = changes.set_aside.try_into().unwrap();
    assert_eq!(entry.why, "the server does not tell what 61 of its transactions did");
    let again = world.chain.read_again(&entry).await;
    assert!(matches!(again, Ok(Reread::Still(_))), "{again:?}");
    for block in &mut world.server.chain().blocks {
        if block.number == entry.height {
            let all = block.transactions[1..].iter_mut().zip(effects.clone());
            all.for_each(|(one, info)| one.info = info);
        }
    }
    let Reread::Read(transfers) = world.chain.read_again(&entry).await.unwrap() else { panic!("it is read") };
    let rejoined = world.chain.rejoin(&changes.cursor, &entry, transfers).await.unwrap().unwrap();
    assert_eq!(amounts(&rejoined.transfers), [(5, OutputState::Confirmed), (6, OutputState::Confirmed)]);
    assert_eq!(rejoined.transfers[1].output.transaction, paid[1]);
    assert_eq!(rejoined.cursor, changes.cursor);
}

/// One of two equal transfers is credited, the other one is odd.
#[tokio::test]
async fn of_equal_transfers_in_a_transaction_each_is_credited_once() {
    let check = async |odd: usize, state: OutputState| {
        let world = World::new().await;
        let (chain, mut reader) = (&world.watched.chain, Reader::default());
        reader.read(chain).await;
        let id =
            world.server.chain().put(&[5, 5].map(|sum| log(USDT, &hex(PAYER), &hex(OURS), sum)), "SUCCESS");
        let is_odd =
            |odd: usize| row("*", Odd::Is(["/log/0/data", "/log/1/data"][odd], "null"), Costs::Entry);
        world.server.chain().hostile.arm(is_odd(odd), &id);
        world.server.chain().produce();
        if state == OutputState::Confirmed {
            world.server.chain().solidify_all();
        }
        reader.read(chain).await;
        let [entry] = std::mem::take(&mut reader.set_aside).try_into().unwrap();
        assert_eq!(reader.to(OURS).len(), 1);
        // Alone it can be the one that is known.
        world.server.chain().hostile.arm(is_odd(1 - odd), &id);
        assert!(matches!(chain.read_again(&entry).await, Ok(Reread::Still(_))));
        world.server.chain().hostile.disarm();
        let Reread::Read(transfers) = chain.read_again(&entry).await.unwrap() else { panic!("it is read") };
        let cursor = reader.cursor.take().unwrap();
        let rejoined = chain.rejoin(&cursor, &entry, transfers).await.unwrap().unwrap();
        reader.cursor = Some(rejoined.cursor);
        reader.note(rejoined.transfers, Network::Trx);
        let states = |reader: &Reader| reader.to(OURS).iter().map(|one| one.state).collect::<Vec<_>>();
        assert_eq!(states(&reader), [state; 2], "{odd}");
        world.server.chain().close();
        reader.read(chain).await;
        assert_eq!(states(&reader), [OutputState::Confirmed; 2], "{odd} {state:?}");
    };
    for odd in [0, 1] {
        check(odd, OutputState::Confirmed).await;
        check(odd, OutputState::Unconfirmed).await;
    }
}

/// What the server tells when it is read again lacks the log.
#[tokio::test]
async fn a_log_that_is_left_out_stays_on_the_list() {
    let check = async |(pointer, odd), again: Odd, amounts: &[u128]| {
        let world = World::new().await;
        let (chain, mut reader) = (&world.watched.chain, Reader::default());
        reader.read(chain).await;
        let logs: Vec<_> = amounts.iter().map(|sum| log(USDT, &hex(PAYER), &hex(OURS), *sum)).collect();
        let id = world.server.chain().put(&logs, "SUCCESS");
        world.server.chain().hostile.arm(row("*", Odd::Is(pointer, odd), Costs::Entry), &id);
        world.server.chain().close();
        reader.read(chain).await;
        let [entry] = std::mem::take(&mut reader.set_aside).try_into().unwrap();
        world.server.chain().hostile.arm(row("*", again, Costs::Entry), &id);
        let read = chain.read_again(&entry).await.unwrap();
        assert!(matches!(read, Reread::Still(_)), "{pointer} {again:?}: {read:?}");
        world.server.chain().hostile.disarm();
        let Reread::Read(transfers) = chain.read_again(&entry).await.unwrap() else { panic!("it is read") };
        assert_eq!(transfers.len(), amounts.len());
    };
    check(("/log/0/data", "null"), Odd::Is("/log", "[]"), &[5]).await;
    check(("/log/0/data", "null"), Odd::Lacks("/log"), &[5]).await;
    check(("/log/0/data", "null"), Odd::Is("/log", "null"), &[5]).await;
    check(("/log/1/data", "null"), Odd::Is("/log", "[]"), &[5, 5]).await;
    check(("/log/1/data", "null"), Odd::Is("/log", "[]"), &[5, 7]).await;
    check(("/log", "7"), Odd::Is("/log", "[]"), &[5]).await;
}

/// It is listed after a while without a confirmation, and confirmed before it is read again.
#[tokio::test]
async fn a_late_confirmation_is_not_taken_back() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let id = world.server.chain().put(&[log(USDT, &hex(PAYER), &hex(OURS), 5)], "SUCCESS");
    let refusal = row("gettransactioninfobyid", Odd::Says(500, "?"), Costs::Later);
    world.server.chain().hostile.arm(refusal, &id);
    let mut listed: Vec<SetAside> = Vec::new();
    for _ in 0..25 {
        world.server.chain().close();
        let changes = world.chain.changes(cursor.as_deref()).await.unwrap();
        listed.extend(changes.set_aside);
        cursor = Some(changes.cursor);
    }
    let [entry] = listed.try_into().unwrap();
    assert_eq!(entry.transaction, id);
    let again = world.chain.read_again(&entry).await;
    assert!(!matches!(again, Ok(Reread::Read(_))), "{again:?}");
    world.server.chain().hostile.disarm();
    world.server.chain().close();
    let [confirmed] = world.read(&mut cursor).await.try_into().unwrap();
    assert_eq!((&confirmed.output.transaction, confirmed.state), (&id, OutputState::Confirmed));
    let Reread::Read(transfers) = world.chain.read_again(&entry).await.unwrap() else { panic!("it is read") };
    let before = cursor.unwrap();
    let rejoined = world.chain.rejoin(&before, &entry, transfers).await.unwrap().unwrap();
    assert_eq!((rejoined.transfers, rejoined.cursor), (vec![], before));
}

/// A swap pays what it is worth when it is included.
#[tokio::test]
async fn another_amount_on_another_branch_is_another_transfer() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let id = world.server.chain().put(&[log(USDT, &hex(PAYER), &hex(OURS), 5)], "SUCCESS");
    world.server.chain().produce();
    let [before] = world.read(&mut cursor).await.try_into().unwrap();
    {
        let mut chain = world.server.chain();
        chain.reorganise(1, &[]);
        chain.produce();
        let block = chain.blocks.last_mut().unwrap();
        block.transactions[0].info["log"][0] = log(USDT, &hex(PAYER), &hex(OURS), 7);
        chain.solidify_all();
    }
    let found = world.read(&mut cursor).await;
    let states: Vec<_> = found
        .iter()
        .map(|found| (found.output == before.output, found.amount.atoms(), found.state))
        .collect();
    assert_eq!(states, [(true, 5, OutputState::Vanished), (false, 7, OutputState::Confirmed)]);
    assert!(found.iter().all(|found| found.output.transaction == id));
}
