use std::ops::Deref;

use checkout_chain_conformance::Payer;
use checkout_chain_doubles::trongrid::chain::{Chain, USDT};
use checkout_chain_doubles::{SignerServer, TronGrid};
use checkout_chain_tron::{Settings, Signer, TronBroadcaster, account};
use checkout_core::{Currency, Network};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Unsent};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{OURS, hex, key, node, settings};

struct World {
    server: TronGrid,
    payer: Payer<TronBroadcaster>,
    account: String,
}

impl Deref for World {
    type Target = Payer<TronBroadcaster>;

    fn deref(&self) -> &Self::Target {
        &self.payer
    }
}

impl World {
    async fn new() -> Self {
        Self::with(settings()).await
    }

    async fn with(settings: Settings) -> Self {
        Self::signing(key().into(), settings).await
    }

    async fn signing(signer: Signer, settings: Settings) -> Self {
        let server = TronGrid::start().await;
        let account = account::to_hex(signer.account());
        server.chain().fund(&account, 100_000_000);
        server.chain().give(&account, USDT, 50_000_000);
        let payer = Payer::new(|numbers| TronBroadcaster::new(settings, node(&server), signer, numbers));
        Self { server, payer, account }
    }

    fn received(&self) -> u128 {
        self.server.chain().token(&hex(OURS), USDT)
    }
}

fn payout(to: &str, units: u128) -> Payout {
    checkout_chain_conformance::payout((Currency::Usdt, Network::Trx), to, None, units)
}

/// The server checks the signature, the block that is referred to and the expiration.
#[tokio::test]
async fn a_payout_is_sent_once_its_block_is_solidified() {
    let world = World::new().await;
    let signed = world.broadcaster.sign(&payout(OURS, 25_000_000)).await.unwrap();
    let known = async || world.broadcaster.known(&signed.transaction_id).await.unwrap();
    assert_eq!(known().await, Known::Unknown);
    assert!(world.waits(&signed).await.contains("waits for a solidified block"));
    assert_eq!(known().await, Known::Pending);
    world.waits(&signed).await;
    world.server.chain().produce();
    assert_eq!(known().await, Known::Pending);
    world.waits(&signed).await;
    world.server.chain().solidify_all();
    world.broadcaster.broadcast(&signed).await.unwrap();
    world.broadcaster.broadcast(&signed).await.unwrap();
    assert_eq!((known().await, world.received()), (Known::Confirmed(19), 25_000_000));
}

/// The same bytes, again and again; a second transaction never while the first one can get on the chain.
#[tokio::test]
async fn a_payout_that_servers_lose_is_signed_again_after_its_expiration() {
    let world = World::new().await;
    let signed = world.broadcaster.sign(&payout(OURS, 25_000_000)).await.unwrap();
    world.server.chain().forgets = true;
    for _ in 0..3 {
        world.waits(&signed).await;
        assert_eq!(world.broadcaster.known(&signed.transaction_id).await.unwrap(), Known::Unknown);
    }
    world.server.chain().pass(597_000);
    assert!(world.waits(&signed).await.contains("waits"), "three seconds before its end");
    world.server.chain().pass(3_000);
    let expired = world.broadcaster.broadcast(&signed).await;
    assert!(matches!(&expired, Err(Unsent::Expired(why)) if why.contains("expired")), "{expired:?}");
    assert_eq!(world.received(), 0);
    let next = world.broadcaster.sign(&payout(OURS, 25_000_000)).await.unwrap();
    assert_ne!(next.transaction_id, signed.transaction_id);
    world.server.chain().forgets = false;
    for signed in [&signed, &next] {
        let _ = world.broadcaster.broadcast(signed).await;
        world.server.chain().produce();
        world.server.chain().solidify_all();
    }
    world.broadcaster.broadcast(&next).await.unwrap();
    assert_eq!(world.received(), 25_000_000, "the expired one is never taken");
}

/// A server that looks transactions up and is behind says that there is none; the blocks say that there is one.
#[tokio::test]
async fn a_look_up_that_is_behind_kills_nothing() {
    let world = World::new().await;
    let signed = world.broadcaster.sign(&payout(OURS, 25_000_000)).await.unwrap();
    world.waits(&signed).await;
    world.server.chain().pass(900_000);
    world.server.chain().behind = 400;
    world.waits(&signed).await;
    world.server.chain().behind = 0;
    world.broadcaster.broadcast(&signed).await.unwrap();
    assert_eq!(world.received(), 25_000_000);
}

#[tokio::test]
async fn a_payout_that_fails_on_the_chain_moved_nothing() {
    let world = World::new().await;
    let signed = world.broadcaster.sign(&payout(OURS, 25_000_000)).await.unwrap();
    world.waits(&signed).await;
    world.server.chain().blocked.insert(hex(OURS));
    world.server.chain().produce();
    world.waits(&signed).await;
    world.server.chain().solidify_all();
    assert!(world.refused(&signed).await.contains("REVERT: it moved nothing"));
    assert_eq!(world.broadcaster.known(&signed.transaction_id).await.unwrap(), Known::Reverted(19));
}

#[tokio::test]
async fn what_is_checked_before_a_signature() {
    let check =
        async |change: fn(&mut Chain, &str), cap: u64, units: u128, expected: Result<(), (bool, &str)>| {
            let world = World::with(Settings { max_fee: cap, ..settings() }).await;
            change(&mut world.server.chain(), &world.account);
            match (world.broadcaster.sign(&payout(OURS, units)).await, expected) {
                (Ok(_), Ok(())) => {}
                (Err(Unsent::Refused(why)), Err((true, part))) => assert!(why.contains(part), "{why}"),
                (Err(Unsent::Unavailable(why)), Err((false, part))) => {
                    assert!(why.to_string().contains(part), "{why}");
                }
                (have, expected) => panic!("{have:?}, not {expected:?}"),
            }
        };
    check(|_, _| {}, 50_000_000, 50_000_000, Ok(())).await;
    check(|_, _| {}, 50_000_000, 50_000_001, Err((false, "has less than 50.000001 USDT"))).await;
    check(|_, _| {}, 6_000_000, 1, Err((false, "costs 6.5 TRX, and the cap is 6"))).await;
    check(|chain, _| _ = chain.blocked.insert(hex(OURS)), 50_000_000, 1, Err((true, "the token refuses")))
        .await;
    let poor =
        |chain: &mut Chain, account: &str| chain.accounts.get_mut(account).unwrap().balance = 8_000_000;
    check(poor, 50_000_000, 1, Err((false, "has 8 TRX and needs 8.525 for the fee"))).await;
    let staked = |chain: &mut Chain, account: &str| {
        let account = chain.accounts.get_mut(account).unwrap();
        (account.balance, account.energy) = (400_000, 100_000);
    };
    check(staked, 50_000_000, 1, Ok(())).await;
}

#[tokio::test]
async fn the_account_of_payouts_is_checked() {
    let world = World::new().await;
    let said = world.broadcaster.health().await.remove(0).detail;
    assert!(said.contains("100 TRX and 0 units of energy"), "{said}");
}

/// The signer has the key; the gateway has the account.
#[tokio::test]
async fn a_signer_elsewhere_signs_a_payout() {
    let address = account::to_text(key().account());
    let elsewhere =
        SignerServer::start(|message| Some(key().sign(&Sha256::digest(message).into()).to_vec())).await;
    let world = World::signing(Signer::remote(&elsewhere.url, &address).unwrap(), settings()).await;
    let signed = world.broadcaster.sign(&payout(OURS, 25_000_000)).await.unwrap();
    let asked = elsewhere.asked().remove(0);
    assert_eq!((&asked["network"], &asked["account"]), (&json!("TRX"), &json!(address)));
    world.waits(&signed).await;
    world.server.chain().produce();
    world.server.chain().solidify_all();
    world.broadcaster.broadcast(&signed).await.unwrap();
    assert_eq!(world.received(), 25_000_000);
}

#[tokio::test]
async fn what_a_signer_elsewhere_answers_is_checked() {
    let address = account::to_text(key().account());
    let check = async |answer: fn(&[u8]) -> Option<Vec<u8>>, said: &str| {
        let signer = SignerServer::start(answer).await;
        let world = World::signing(Signer::remote(&signer.url, &address).unwrap(), settings()).await;
        let refused = world.broadcaster.sign(&payout(OURS, 25_000_000)).await;
        let is_said = matches!(&refused, Err(Unsent::Unavailable(why)) if why.to_string().contains(said));
        assert!(is_said, "{refused:?}");
    };
    check(|_| None, "status 403").await;
    check(|_| Some(vec![1; 64]), "not that of").await;
    check(|_| Some(vec![27; 65]), "not that of").await;
    check(|message| Some(key().sign(&Sha256::digest(&message[1..]).into()).to_vec()), "not that of").await;
    assert!(Signer::remote("http://127.0.0.1", "T").unwrap_err().contains("no account"));
}

#[tokio::test]
async fn senders_that_cannot_be_refunded() {
    let world = World::new().await;
    let deposit = OutputId { network: Network::Trx, transaction: "00".repeat(32), index: 1 };
    let refund = Payout { purpose: Purpose::Refund, ..payout(OURS, 5_000_000) };
    let judged = async || world.broadcaster.no_refund_address(&refund, &deposit).await.unwrap();
    assert_eq!(judged().await, None, "it does not exist yet");
    world.server.chain().fund(&hex(OURS), 1_000_000);
    assert_eq!(judged().await, None);
    world.server.chain().accounts.get_mut(&hex(OURS)).unwrap().is_contract = true;
    assert_eq!(judged().await, Some(NoRefundAddress::Contract));
    let fee = world.broadcaster.fee(&refund).await.unwrap().unwrap();
    assert!(fee > checkout_core::Decimal::ONE, "energy costs {fee} TRX");
    let account = world.account.clone();
    world.server.chain().accounts.get_mut(&account).unwrap().tokens.clear();
    assert!(world.broadcaster.fee(&refund).await.is_err(), "there are no tokens to send");
    let most = world.broadcaster.fee(&Payout::unaddressed(refund.pair)).await.unwrap().unwrap();
    assert!(most > fee && most < fee * checkout_core::Decimal::TWO, "{most} to anybody, {fee} to a holder");
    world.server.chain().give(&account, USDT, 50_000_000);
    world.server.chain().accounts.get_mut(&account).unwrap().energy = 10_000_000;
    let staked = world.broadcaster.fee(&refund).await.unwrap().unwrap();
    assert!(staked < fee, "energy of the account costs nothing: {staked}");
}
