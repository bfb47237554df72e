use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::SolValue as _;
use checkout_chain_evm::InternalTransfers::{DebugTrace, Off, TraceBlock};
use checkout_domain::ports::chain::Chain as _;

use crate::node::{
    Anvil, diveCall, forwardAndFailCall, forwardCall, splitCall, transferCall, tryAndGoOnCall,
};
use crate::view::{View, ours, output, rows, settings};

/// A contract pays: there is no log, and the transaction does not name the recipient.
#[tokio::test]
async fn what_contracts_send() {
    let anvil = Anvil::start();
    let (_, forwarder) = anvil.make("Forwarder", Vec::new(), 0).await;
    let mut views = Vec::new();
    for way in [DebugTrace, TraceBlock, Off] {
        let mut view = View::of(settings(&anvil)).await;
        view.see_internal_transfers_by(way);
        views.push(view);
    }
    let passed_on = anvil.call(forwarder, forwardCall { to: ours(1) }, 100).await;
    let split = anvil.call(forwarder, splitCall { first: ours(2), second: ours(2) }, 60).await;
    let shared = anvil.call(forwarder, splitCall { first: ours(77), second: ours(3) }, 40).await;
    anvil.call(forwarder, forwardAndFailCall { to: ours(4) }, 100).await;
    anvil.call(forwarder, tryAndGoOnCall { to: ours(4) }, 100).await;
    let deep = anvil.call(forwarder, diveCall { to: ours(5), depth: U256::from(100) }, 100).await;
    let plain = anvil.send(ours(6), 7).await;
    let (made, _) = anvil.make("Flash", ours(7).abi_encode(), 100).await;
    let (left, _) = anvil.make("Bequest", ours(8).abi_encode(), 100).await;
    let move_ = 1 << 31;
    let (rich, contract) = (anvil.rich, forwarder);
    let expected: [(_, u32, u8, u128, Address); 9] = [
        (passed_on, move_, 1, 100, contract),
        (split, move_, 2, 30, contract),
        (split, move_ + 1, 2, 30, contract),
        (shared, move_ + 1, 3, 20, contract),
        (deep, move_ + 100, 5, 100, contract),
        (plain, 0, 6, 7, rich),
        (made, move_, 7, 100, rich),
        (left, move_, 8, 100, rich),
        (plain, 0, 6, 7, rich),
    ];
    for (view, way) in views.iter_mut().zip([DebugTrace, TraceBlock, Off]) {
        let news = view.look().await;
        let expected = if way == Off { &expected[8..] } else { &expected[..8] };
        let mut have: Vec<_> = news
            .iter()
            .map(|transfer| {
                let (to, amount, _) = rows(std::slice::from_ref(transfer))[0];
                (to, transfer.output.clone(), amount, transfer.from.clone())
            })
            .collect();
        have.sort();
        let mut expected: Vec<_> = expected
            .iter()
            .map(|(hash, index, to, amount, from)| {
                (*to, output(*hash, *index), *amount, from.to_checksum(None))
            })
            .collect();
        expected.sort();
        assert_eq!(have, expected, "{way:?}");
    }
}

/// A payer with a smart wallet looks up the transaction, also before its block is read.
#[tokio::test]
async fn what_contracts_send_is_found_by_its_transaction() {
    let anvil = Anvil::start();
    let (_, forwarder) = anvil.make("Forwarder", Vec::new(), 0).await;
    let token = anvil.token(6).await;
    let paid = anvil.call(forwarder, forwardCall { to: ours(1) }, 100).await;
    let other = anvil.call(token, transferCall { to: ours(2), value: U256::from(25_000_000) }, 0).await;
    anvil.mine(1).await;
    let check = async |way, hash: B256, credited: &[u128], not_credited: &[(&str, Address)]| {
        let mut view = View::of(settings(&anvil)).await;
        view.see_internal_transfers_by(way);
        let found = view.chain.look_up(&hash.to_string()).await.unwrap().unwrap();
        let amounts = |to: Address| {
            let all = found.transfers.iter().filter(move |one| one.to == to.to_checksum(None));
            all.map(|one| one.amount.atoms()).collect::<Vec<_>>()
        };
        let ours: Vec<u128> = [ours(1), ours(2)].into_iter().flat_map(amounts).collect();
        let others: Vec<_> =
            found.not_credited.iter().map(|one| (one.amount.as_str(), one.to.clone())).collect();
        let expected: Vec<_> =
            not_credited.iter().map(|(amount, to)| (*amount, to.to_checksum(None))).collect();
        assert_eq!((ours.as_slice(), others, found.unclear), (credited, expected, false), "{way:?}");
    };
    check(DebugTrace, paid, &[100], &[]).await;
    check(TraceBlock, paid, &[100], &[]).await;
    check(Off, paid, &[], &[("0.0000000000000001", ours(1))]).await;
    // Of another contract than the listed ones.
    check(DebugTrace, other, &[], &[("25", ours(2))]).await;
}
