use checkout_chain_doubles::Fault;
use checkout_chain_doubles::trongrid::chain::{USDC, USDT, log};
use checkout_core::{Currency, Network};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::Chain as _;
use serde_json::Value;

use super::{OURS, PAYER, World, hex};

#[tokio::test]
async fn a_payment() {
    let world = World::new().await;
    let mut cursor = None;
    assert_eq!(world.read(&mut cursor).await, []);
    let id = world.server.chain().pay(USDT, &hex(OURS), 25_000_000);
    world.server.chain().produce();
    let [seen] = world.read(&mut cursor).await.try_into().unwrap();
    assert_eq!(seen.output, OutputId { network: Network::Trx, transaction: id, index: 0 });
    assert_eq!((seen.currency, seen.amount.to_text(6).as_str()), (Currency::Usdt, "25"));
    assert_eq!((seen.to.as_str(), seen.tag.as_deref(), seen.fee.as_str()), (OURS, None, "13.5"));
    assert!(seen.from.starts_with('T') && seen.seen_at > 1_700_000_000, "{seen:?}");
    assert_eq!(seen.state, OutputState::Unconfirmed);
    assert_eq!(world.chain.confirmations(&seen.output).await.unwrap(), 0);
    // Eighteen more blocks, and it is solidified.
    let waiting =
        async |cursor: &Option<String>| world.chain.waiting(cursor.as_deref().unwrap()).await.unwrap();
    assert_eq!(world.chain.required_confirmations(), 19);
    for blocks in 1..=18 {
        assert_eq!(waiting(&cursor).await, [(seen.output.clone(), blocks)]);
        world.server.chain().produce();
        assert_eq!(world.read(&mut cursor).await, [], "nothing is confirmed that can leave the chain");
    }
    world.server.chain().solidify(1);
    let [confirmed] = world.read(&mut cursor).await.try_into().unwrap();
    assert_eq!((&confirmed.output, confirmed.state), (&seen.output, OutputState::Confirmed));
    assert_eq!(waiting(&cursor).await, []);
    assert_eq!(world.chain.confirmations(&seen.output).await.unwrap(), 19);
    world.server.chain().solidify(4);
    assert_eq!(world.read(&mut cursor).await, [], "once");
    assert_eq!(world.chain.confirmations(&seen.output).await.unwrap(), 23);
}

/// Only listed contracts, only what succeeded, and every log of a transaction.
#[tokio::test]
async fn what_is_credited() {
    let world = World::new().await;
    let (ours, payer) = (hex(OURS), hex(PAYER));
    let check = async |logs: &[Value], result: &str, expected: &[(Currency, &str, u32)]| {
        let mut cursor = None;
        world.read(&mut cursor).await;
        world.server.chain().put(logs, result);
        world.server.chain().close();
        let found = world.read(&mut cursor).await;
        let have: Vec<(Currency, String, u32)> = found
            .into_iter()
            .map(|found| (found.currency, found.amount.to_text(6), found.output.index))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(currency, amount, index)| (*currency, (*amount).to_owned(), *index))
            .collect();
        assert_eq!(have, expected, "{logs:?} {result}");
    };
    let forged = "41ea51342dabbb928ae1e576bd39eff8aaf070a8c6";
    check(&[log(USDT, &payer, &ours, 1)], "SUCCESS", &[(Currency::Usdt, "0.000001", 0)]).await;
    check(&[log(USDC, &payer, &ours, 5_000_000)], "SUCCESS", &[(Currency::Usdc, "5", 0)]).await;
    check(&[log(forged, &payer, &ours, 5_000_000)], "SUCCESS", &[]).await;
    check(&[log(USDT, &ours, &payer, 5_000_000)], "SUCCESS", &[]).await;
    check(&[log(USDT, &payer, &ours, 0)], "SUCCESS", &[]).await;
    check(&[log(USDT, &payer, &ours, u128::MAX)], "SUCCESS", &[]).await;
    for failed in ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME", "FAILED"] {
        check(&[log(USDT, &payer, &ours, 5_000_000)], failed, &[]).await;
    }
    check(
        &[
            log(forged, &payer, &ours, 9),
            log(USDT, &payer, &ours, 1_000_000),
            log(USDT, &payer, &payer, 9),
            log(USDC, &payer, &ours, 2_000_000),
        ],
        "SUCCESS",
        &[(Currency::Usdt, "1", 1), (Currency::Usdc, "2", 3)],
    )
    .await;
    check(&[], "SUCCESS", &[]).await;
}

/// More than the blocks of one look, with a new start after each of them.
#[tokio::test]
async fn a_day_of_downtime_misses_nothing() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let mut sent = Vec::new();
    for number in 1..=70 {
        sent.push(world.server.chain().pay(USDT, &hex(OURS), number));
        world.server.chain().close();
        world.server.chain().close();
    }
    let (found, looks) = world.read_twice(cursor).await;
    assert!(looks > 10, "{looks} looks");
    assert_eq!(found, sent);
}

/// A server that fails, is behind, or is on another network makes nothing come twice and nothing go missing.
#[tokio::test]
async fn unsteady_servers() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    let id = world.server.chain().pay(USDT, &hex(OURS), 5);
    world.server.chain().produce();
    for (fault, part) in
        [(Fault::Down, "503"), (Fault::Limited, "rate limit"), (Fault::Garbled, "cannot be read")]
    {
        world.server.chain().fault = fault;
        let said = world.refusal(cursor.as_deref()).await;
        assert!(said.contains(part), "{said}");
        if fault == Fault::Limited {
            assert!(world.refusal(cursor.as_deref()).await.contains("it is asked again in"));
            tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        }
    }
    world.server.chain().fault = Fault::None;
    assert_eq!(world.read(&mut cursor).await[0].output.transaction, id);
    // Solidified, and the server that looks transactions up is behind.
    world.server.chain().solidify_all();
    world.server.chain().behind = 1;
    assert_eq!(world.read(&mut cursor).await, [], "it is confirmed when a server has it");
    world.server.chain().behind = 0;
    // A block whose transactions the server answers a part of.
    let second = world.server.chain().pay(USDT, &hex(OURS), 6);
    world.server.chain().produce();
    let info = {
        let mut chain = world.server.chain();
        let block = chain.blocks.last_mut().unwrap();
        std::mem::replace(&mut block.transactions[0].info, serde_json::json!({"id": "0".repeat(64)}))
    };
    assert!(world.refusal(cursor.as_deref()).await.contains("has 1 transactions"));
    world.server.chain().blocks.last_mut().unwrap().transactions[0].info = info;
    let found = world.read(&mut cursor).await;
    let states: Vec<_> = found.iter().map(|found| (found.output.transaction.clone(), found.state)).collect();
    assert_eq!(states, [(second, OutputState::Unconfirmed), (id, OutputState::Confirmed)]);
    // The database was used with another network.
    let elsewhere = cursor.unwrap().replace("1ebf88508a03865c", "0000000000000000");
    assert!(world.refusal(Some(&elsewhere)).await.contains("is configured"));
}

/// Of the other branch more blocks are read again than in one look.
#[tokio::test]
async fn a_fork_takes_nothing_back_that_both_branches_have() {
    for depth in [1, 2, 12] {
        let world = World::new().await;
        let mut cursor = None;
        world.read(&mut cursor).await;
        let mut paid = Vec::new();
        for number in 1..=18 {
            paid.push(world.server.chain().pay(USDT, &hex(OURS), number));
            world.server.chain().produce();
        }
        world.read(&mut cursor).await;
        world.server.chain().reorganise(depth, &[]);
        let states = |found: Vec<Transfer>| -> Vec<_> {
            found.into_iter().map(|found| (found.output.transaction, found.state)).collect()
        };
        let moved: Vec<String> = paid[18 - depth..].to_vec();
        let gone: Vec<_> = moved.iter().map(|id| (id.clone(), OutputState::Vanished)).collect();
        assert_eq!(states(world.read(&mut cursor).await), gone, "{depth}");
        world.server.chain().produce();
        let back: Vec<_> = moved.iter().map(|id| (id.clone(), OutputState::Unconfirmed)).collect();
        assert_eq!(states(world.read(&mut cursor).await), back, "{depth}");
        world.server.chain().solidify_all();
        assert_eq!(world.read(&mut cursor).await.len(), 18, "{depth}: all are confirmed");
    }
}

/// The server that tells of the other branch has it, and the next one that answers is behind.
#[tokio::test]
async fn a_branch_of_which_blocks_are_missing_takes_nothing_back() {
    let world = World::new().await;
    let mut cursor = None;
    world.read(&mut cursor).await;
    world.server.chain().produce();
    world.server.chain().pay(USDT, &hex(OURS), 5);
    world.server.chain().produce();
    world.server.chain().produce();
    world.read(&mut cursor).await;
    world.server.chain().reorganise(1, &[]);
    world.server.chain().empty_after = Some(1);
    assert!(world.refusal(cursor.as_deref()).await.contains("another branch"));
    world.server.chain().empty_after = None;
    assert_eq!(world.read(&mut cursor).await, []);
}

/// A solidified block is not on the chain of the server.
#[tokio::test]
async fn a_chain_without_what_was_solidified() {
    let world = World::new().await;
    let mut cursor = None;
    world.server.chain().close();
    world.read(&mut cursor).await;
    {
        let mut chain = world.server.chain();
        chain.blocks.pop();
        chain.solid -= 1;
        chain.close();
        chain.close();
    }
    assert!(world.refusal(cursor.as_deref()).await.contains("was solidified when it was read"));
}

#[tokio::test]
async fn the_key_is_sent() {
    use checkout_chain_tron::{Node, api::Api};

    let world = World::new().await;
    world.server.chain().api_key = Some("secret".to_owned());
    assert!(world.refusal(None).await.contains("refuses the API key"));
    let api = Api::new(&world.server.url, Some("secret")).unwrap();
    Node::new(api, super::settings().genesis).verify().await.unwrap();
}
