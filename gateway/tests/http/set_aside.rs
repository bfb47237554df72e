//! Entries of a chain that could not be read: they are listed and read again, and everything else is credited.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::set_aside::{SetAside, pause};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::record_transfers;
use parking_lot::Mutex;
use serde_json::json;

use super::World;

/// A network with one payment that can be read and one that cannot.
struct OddChain {
    good: Transfer,
    /// Read before the good one.
    beside: Vec<Transfer>,
    odd: Transfer,
    why: String,
    again: Mutex<Again>,
    /// After the next read.
    cursor: String,
}

/// What another look at the odd one finds.
#[derive(Clone, Copy)]
enum Again {
    Fails,
    Reads,
    /// Its block left the chain.
    Left,
    /// The node says so, too.
    Gone,
    /// Only the node says so.
    Flipped,
}

#[async_trait]
impl Chain for OddChain {
    fn network(&self) -> Network {
        self.good.output.network
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        let entry = SetAside {
            network: self.network(),
            transaction: self.odd.output.transaction.clone(),
            part: "log 1".to_owned(),
            height: 7,
            block: "b7".to_owned(),
            why: self.why.clone(),
        };
        let transfers = [&self.beside[..], std::slice::from_ref(&self.good)].concat();
        let read = Changes::new(transfers, self.cursor.clone(), false);
        Ok(Changes { set_aside: vec![entry], ..read })
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        Ok(1)
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip { height: 7, hash: "b7".to_owned(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[async_trait]
impl Rereading for OddChain {
    async fn read_again(&self, _: &SetAside) -> Result<Reread, ChainError> {
        Ok(match *self.again.lock() {
            Again::Fails => Reread::Still("it still has none".to_owned()),
            Again::Reads | Again::Left => Reread::Read(vec![self.odd.clone()]),
            Again::Gone | Again::Flipped => Reread::Gone,
        })
    }

    async fn rejoin(
        &self,
        cursor: &str,
        _: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        let is_left = matches!(*self.again.lock(), Again::Left | Again::Gone);
        Ok((!is_left).then(|| Rejoined { transfers, cursor: format!("{cursor} again") }))
    }
}

pub(super) fn transfer(transaction: &str, to: &str, amount: &str) -> Transfer {
    Transfer {
        output: OutputId { network: Network::Btc, transaction: transaction.to_owned(), index: 0 },
        currency: Currency::Btc,
        amount: Amount::parse(amount, 8).unwrap(),
        to: to.to_owned(),
        tag: None,
        from: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2".to_owned(),
        from_tag: None,
        other_senders: Vec::new(),
        fee: "0".to_owned(),
        seen_at: super::START,
        state: OutputState::Confirmed,
        uncertain: false,
    }
}

async fn odd(world: &World) -> (App, Arc<OddChain>, String, String) {
    let (one, _) = world.quoted(json!({"clientPaymentId": "good"}), "BTC", "BTC").await;
    let (two, _) = world.quoted(json!({"clientPaymentId": "odd"}), "BTC", "BTC").await;
    let mut transfers = Vec::new();
    for (id, transaction) in [(&one, "tx-good"), (&two, "tx-odd")] {
        let payment = world.payment(id).await;
        transfers.push(transfer(transaction, payment["walletAddress"].as_str().unwrap(), "0.00166667"));
    }
    let odd = transfers.pop().unwrap();
    let (good, again, why) =
        (transfers.pop().unwrap(), Mutex::new(Again::Fails), "it has no receipt".to_owned());
    let chain = Arc::new(OddChain { good, beside: Vec::new(), odd, why, again, cursor: "read".to_owned() });
    let mut app = App::clone(&world.app);
    app.chains.insert(Network::Btc, chain.clone());
    record_transfers::catch_up(&app, Network::Btc).await.unwrap();
    (app, chain, one, two)
}

async fn deposits(world: &World, id: &str) -> usize {
    world.app.store.payment(id.parse().unwrap()).await.unwrap().unwrap().deposits.len()
}

/// What `/readyz` says of entries that could not be read.
async fn warning(world: &World) -> String {
    let ready = world.get("/readyz", "").await.json;
    let warnings = ready["warnings"].as_array().cloned().unwrap_or_default();
    warnings.iter().filter_map(|text| text.as_str()).collect::<Vec<_>>().join("; ")
}

#[tokio::test]
async fn the_payer_beside_an_odd_entry_is_credited_and_the_odd_entry_is_listed() {
    let world = World::new().await;
    let (app, _, good, odd) = odd(&world).await;
    assert_eq!((deposits(&world, &good).await, deposits(&world, &odd).await), (1, 0));
    let told = warning(&world).await;
    for part in ["BTC: 1 entry set aside", "tx-odd in block 7: it has no receipt", "chains pending"] {
        assert!(told.contains(part), "{told}");
    }
    let metrics = world.get("/metrics", "").await;
    let metrics = String::from_utf8(metrics.bytes).unwrap();
    assert!(metrics.contains("checkout_chain_set_aside{network=\"BTC\"} 1"), "{metrics}");
    assert_eq!(app.store.set_aside(9).await.unwrap().len(), 1);
}

/// A server that leaves out a log of the transaction gives the next ones other numbers.
#[tokio::test]
async fn a_transfer_that_is_read_again_under_another_index_is_credited_once() {
    let world = World::new().await;
    let (app, _, good_id, _) = odd(&world).await;
    let first = app.store.payment(good_id.parse().unwrap()).await.unwrap().unwrap().deposits[0].clone();
    let check = async |found: &[(u32, &str)], expected: &[&str]| {
        let of = |(index, amount): &(u32, &str)| {
            let transfer = transfer("tx-good", &first.to, amount);
            Transfer { output: OutputId { index: *index, ..transfer.output }, ..transfer }
        };
        let mut beside: Vec<Transfer> = found.iter().map(of).collect();
        let good = beside.pop().unwrap();
        let mut app = App::clone(&app);
        let odd = OddChain {
            odd: good.clone(),
            good,
            beside,
            why: String::new(),
            again: Mutex::new(Again::Fails),
            cursor: format!("{found:?}"),
        };
        app.chains.insert(Network::Btc, Arc::new(odd));
        record_transfers::catch_up(&app, Network::Btc).await.unwrap();
        let payment = app.store.payment(good_id.parse().unwrap()).await.unwrap().unwrap();
        let mut amounts: Vec<String> = payment.deposits.iter().map(|one| one.amount.to_text(8)).collect();
        amounts.sort();
        assert_eq!(amounts, expected, "{found:?}");
    };
    let (one, two, three) = ("0.00166667", "0.00166668", "0.00166669");
    check(&[(1, one)], &[one]).await;
    check(&[(0, one)], &[one]).await;
    check(&[(7, two)], &[one, two]).await;
    check(&[(8, two)], &[one, two]).await;
    // What a server left out before has the index of what it did not.
    check(&[(0, three), (1, one), (9, two)], &[one, two, three]).await;
    check(&[(0, three), (1, one), (9, two)], &[one, two, three]).await;
    check(&[(5, two), (6, two)], &[one, two, two, three]).await;
}

/// As exchanges pay. The server left out the log before.
#[tokio::test]
async fn of_one_transaction_each_payment_keeps_its_own() {
    let world = World::new().await;
    let (app, chain, good, odd_id) = odd(&world).await;
    let read = async |found: Vec<Transfer>| {
        let mut beside = found;
        let mut app = App::clone(&app);
        let (cursor, last) = (format!("{beside:?}"), beside.pop().unwrap());
        let (again, why) = (Mutex::new(Again::Fails), String::new());
        let odd = OddChain { odd: last.clone(), good: last, beside, why, again, cursor };
        app.chains.insert(Network::Btc, Arc::new(odd));
        record_transfers::catch_up(&app, Network::Btc).await.unwrap();
        (deposits(&world, &good).await, deposits(&world, &odd_id).await)
    };
    let of = |index, like: &Transfer, amount: &str| {
        let transfer = transfer("tx-both", &like.to, amount);
        Transfer { output: OutputId { index, ..transfer.output }, ..transfer }
    };
    let (first, second) = (&chain.good, &chain.odd);
    assert_eq!(read(vec![of(0, second, "0.001")]).await, (1, 1));
    assert_eq!(read(vec![of(0, first, "0.002"), of(1, second, "0.001")]).await, (2, 1));
    let many = (0..40).map(|more| of(100 + more, first, "0.003"));
    let all = [of(0, first, "0.002"), of(1, second, "0.001")].into_iter().chain(many).collect();
    assert_eq!(read(all).await, (42, 1));
}

/// The words are those of a server.
#[tokio::test]
async fn a_reason_of_any_text_is_stored() {
    let world = World::new().await;
    let (mut app, chain, ..) = odd(&world).await;
    let (good, again) = (chain.good.clone(), Mutex::new(Again::Fails));
    let why = format!("a\u{0}b{}", "c".repeat(10_000));
    let odd =
        OddChain { odd: good.clone(), good, beside: Vec::new(), why, again, cursor: "words".to_owned() };
    app.chains.insert(Network::Btc, Arc::new(odd));
    record_transfers::catch_up(&app, Network::Btc).await.unwrap();
    let open = app.store.set_aside(9).await.unwrap();
    let why = open.iter().map(|open| open.entry.why.as_str()).find(|why| why.starts_with('a')).unwrap();
    assert!(why.starts_with("a\\u{0}bcc") && why.len() < 600, "{why}");
}

#[tokio::test]
async fn an_odd_entry_is_read_again_and_credited_once() {
    let check = async |again: Again, expected: usize| {
        let world = World::new().await;
        let (app, chain, _, odd) = odd(&world).await;
        record_transfers::read_again(&app, Network::Btc).await.unwrap();
        assert_eq!(app.store.set_aside(9).await.unwrap()[0].tries, 0, "its pause is not over");
        world.advance(pause(0).unwrap()).await;
        record_transfers::read_again(&app, Network::Btc).await.unwrap();
        let open = &app.store.set_aside(9).await.unwrap()[0];
        assert_eq!((open.tries, open.entry.why.as_str()), (1, "it still has none"));
        *chain.again.lock() = again;
        world.advance(pause(1).unwrap()).await;
        for _ in 0..2 {
            record_transfers::read_again(&app, Network::Btc).await.unwrap();
        }
        assert_eq!(deposits(&world, &odd).await, expected);
        assert_eq!((app.store.set_aside(9).await.unwrap(), warning(&world).await), (vec![], String::new()));
        let cursor = app.store.cursor(Network::Btc).await.unwrap().unwrap();
        assert_eq!(cursor, if expected == 1 { "read again" } else { "read" });
    };
    check(Again::Reads, 1).await;
    check(Again::Left, 0).await;
    check(Again::Gone, 0).await;
}

#[tokio::test]
async fn a_node_on_another_chain_takes_no_entry_off_the_list() {
    let world = World::new().await;
    let (app, chain, _, _) = odd(&world).await;
    *chain.again.lock() = Again::Flipped;
    world.advance(pause(0).unwrap()).await;
    record_transfers::read_again(&app, Network::Btc).await.unwrap();
    let open = &app.store.set_aside(9).await.unwrap()[0];
    assert_eq!((open.tries, open.entry.why.contains("another chain")), (1, true));
}

/// Index, payee, amount and state of what is read; then what is confirmed of the first and of the second payee.
type Step<'a> = (&'a [(u32, usize, &'a str, OutputState)], [&'a [&'a str]; 2]);

/// A swap that a reorganisation executed again pays another amount, or somebody else. A rescan gives it the index that the first had.
#[tokio::test]
async fn a_transaction_that_was_executed_again_is_credited_once() {
    use OutputState::{Confirmed, Vanished};

    let (one, two, three) = ("0.00166667", "0.00166668", "0.00166669");
    let check = async |steps: &[Step<'_>]| {
        let world = World::new().await;
        let (app, chain, first, second) = odd(&world).await;
        let payees = [chain.good.to.clone(), chain.odd.to.clone()];
        for (number, (found, expected)) in steps.iter().enumerate() {
            let of = |(index, payee, amount, state): &(u32, usize, &str, OutputState)| {
                let transfer = transfer("tx-good", &payees[*payee], amount);
                Transfer { output: OutputId { index: *index, ..transfer.output }, state: *state, ..transfer }
            };
            let mut beside: Vec<Transfer> = found.iter().map(of).collect();
            let good = beside.pop().unwrap();
            let (again, why, cursor) = (Mutex::new(Again::Fails), String::new(), format!("step {number}"));
            let mut app = App::clone(&app);
            let odd = OddChain { odd: good.clone(), good, beside, why, again, cursor };
            app.chains.insert(Network::Btc, Arc::new(odd));
            record_transfers::catch_up(&app, Network::Btc).await.unwrap();
            for (id, expected) in [&first, &second].into_iter().zip(expected) {
                let payment = app.store.payment(id.parse().unwrap()).await.unwrap().unwrap();
                let confirmed = payment.deposits.iter().filter(|deposit| deposit.is_confirmed());
                let mut amounts: Vec<String> = confirmed.map(|deposit| deposit.amount.to_text(8)).collect();
                amounts.sort();
                assert_eq!(amounts, *expected, "step {number} of {steps:?}");
            }
        }
    };
    let again: Step<'_> = (&[(0, 0, one, Vanished), (1, 0, two, Confirmed)], [&[two], &[]]);
    check(&[again, (&[(0, 0, two, Confirmed)], [&[two], &[]])]).await;
    check(&[again, (&[(1, 0, two, Confirmed)], [&[two], &[]])]).await;
    check(&[again, (&[(0, 0, two, Confirmed), (1, 0, two, Confirmed)], [&[two, two], &[]])]).await;
    check(&[again, (&[(0, 0, two, Confirmed), (1, 0, three, Confirmed)], [&[two, three], &[]])]).await;
    check(&[(&[(0, 0, one, Vanished), (0, 0, two, Confirmed)], [&[two], &[]])]).await;
    check(&[(&[(0, 0, one, Vanished), (0, 1, one, Confirmed)], [&[], &[one]])]).await;
    // A server that leaves out one of two equal ones gives its index to another one.
    let equal: Step<'_> = (&[(0, 0, one, Confirmed), (1, 0, one, Confirmed)], [&[one, one], &[]]);
    check(&[equal, (&[(0, 0, two, Confirmed), (1, 0, one, Confirmed)], [&[one, one, two], &[]])]).await;
    check(&[equal, (&[(0, 1, two, Confirmed), (1, 0, one, Confirmed)], [&[one, one], &[two]])]).await;
    // One of two equal ones left the chain, and a rescan gives its index to the other one.
    let alone: Step<'_> = (&[(0, 0, one, Confirmed), (1, 0, one, Vanished)], [&[one], &[]]);
    check(&[equal, alone, (&[(1, 0, one, Confirmed)], [&[one], &[]])]).await;
    check(&[
        equal,
        alone,
        (&[(1, 0, one, Confirmed)], [&[one], &[]]),
        (&[(1, 0, one, Vanished)], [&[], &[]]),
    ])
    .await;
    check(&[equal, alone, alone]).await;
    check(&[equal, alone, equal]).await;
    // Two reports of one output.
    check(&[(&[(4, 0, two, Confirmed), (4, 0, two, Confirmed)], [&[one, two], &[]])]).await;
    check(&[(&[(4, 0, one, Confirmed), (4, 0, one, Confirmed), (0, 0, one, Confirmed)], [&[one, one], &[]])])
        .await;
    // The first execution wins after all.
    check(&[
        again,
        (&[(1, 0, two, Vanished), (0, 0, one, Confirmed)], [&[one], &[]]),
        (&[(0, 0, one, Confirmed)], [&[one], &[]]),
    ])
    .await;
    // Only a rescan tells of it.
    check(&[(&[(0, 0, one, Vanished)], [&[], &[]]), (&[(0, 0, two, Confirmed)], [&[two], &[]])]).await;
    // It pays the other one.
    let other: Step<'_> = (&[(0, 0, one, Vanished), (1, 1, one, Confirmed)], [&[], &[one]]);
    check(&[other, (&[(0, 1, one, Confirmed)], [&[], &[one]])]).await;
    check(&[(&[(0, 0, one, Vanished)], [&[], &[]]), (&[(0, 1, one, Confirmed)], [&[], &[one]])]).await;
    check(&[
        (&[(0, 0, one, Vanished)], [&[], &[]]),
        (&[(0, 1, two, Confirmed), (1, 0, one, Confirmed)], [&[one], &[two]]),
    ])
    .await;
}

/// Index, sender and state of what is read; then the senders of the deposits that are there, and whether each is flagged.
type SenderStep<'a> = (&'a [(u32, usize, OutputState)], &'a [(usize, bool)]);

/// A contract takes the money of somebody else when a reorganisation executes its transaction again.
#[tokio::test]
async fn the_sender_of_a_transaction_that_was_executed_again_is_screened_anew() {
    use OutputState::{Confirmed, Vanished};

    let check = async |(currency, network): (Currency, Network),
                       senders: [&str; 2],
                       steps: &[SenderStep<'_>]| {
        let world = World::new().await;
        world.flag(network.code(), senders[1], true).await;
        let (id, _) = world.quoted(json!({}), currency.code(), network.code()).await;
        let payment = world.payment(&id).await;
        let decimals = pair::find(currency, network).unwrap().decimals;
        let amount = Amount::parse(payment["expectedDepositAmount"].as_str().unwrap(), decimals).unwrap();
        for (number, (found, expected)) in steps.iter().enumerate() {
            let of = |(index, sender, state): &(u32, usize, OutputState)| {
                let transfer = transfer(&"ab".repeat(32), payment["walletAddress"].as_str().unwrap(), "0");
                let output = OutputId { network, index: *index, ..transfer.output };
                let from = senders[*sender].to_owned();
                Transfer { output, currency, amount, from, state: *state, ..transfer }
            };
            let mut beside: Vec<Transfer> = found.iter().map(of).collect();
            let good = beside.pop().unwrap();
            let (again, why, cursor) = (Mutex::new(Again::Fails), String::new(), format!("step {number}"));
            let mut app = App::clone(&world.app);
            let odd = OddChain { odd: good.clone(), good, beside, why, again, cursor };
            app.chains.insert(network, Arc::new(odd));
            record_transfers::catch_up(&app, network).await.unwrap();
            let payment = app.store.payment(id.parse().unwrap()).await.unwrap().unwrap();
            let there = payment.deposits.iter().filter(|deposit| deposit.state != Vanished);
            let there: Vec<_> = there
                .map(|one| {
                    let sender = senders.iter().position(|sender| *sender == one.from).unwrap();
                    (sender, one.screening == Screening::Flagged)
                })
                .collect();
            assert_eq!(there, *expected, "{network}: step {number} of {steps:?}");
        }
    };
    let first: SenderStep<'_> = (&[(0, 0, Confirmed)], &[(0, false)]);
    let other: SenderStep<'_> = (&[(0, 0, Vanished), (0, 1, Confirmed)], &[(1, true)]);
    let usdt = |network| (Currency::Usdt, network);
    for (network, senders) in [
        (
            Network::Eth,
            ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
        ),
        (Network::Trx, ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW"]),
    ] {
        check(usdt(network), senders, &[first, other, (&[(0, 1, Confirmed)], &[(1, true)])]).await;
        // Only a rescan tells of it.
        check(
            usdt(network),
            senders,
            &[first, (&[(0, 0, Vanished)], &[]), (&[(0, 1, Confirmed)], &[(1, true)])],
        )
        .await;
        // The first execution wins after all.
        check(
            usdt(network),
            senders,
            &[first, other, (&[(1, 1, Vanished), (0, 0, Confirmed)], &[(0, false)])],
        )
        .await;
    }
    // Of several senders a server names one.
    let senders = ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"];
    let bitcoin = (Currency::Btc, Network::Btc);
    check(bitcoin, senders, &[first, (&[(0, 1, Confirmed)], &[(0, false)])]).await;
    check(bitcoin, senders, &[first, (&[(0, 0, Vanished), (0, 1, Confirmed)], &[(0, false)])]).await;
}
