use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use alloy_primitives::{Address, U256};
use checkout_chain_conformance::Numbers;
use checkout_chain_evm::signer::keystore::Keystore;
use checkout_chain_evm::signer::remote::RemoteSigner;
use checkout_chain_evm::{EvmBroadcaster, Node, Settings, Signer};
use checkout_core::{Currency, Network};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Sequences, Unproven, Unsent};
use serde_json::{Value, json};

use crate::node::{Anvil, ETHER, block_Call, transferCall};
use crate::view::{ours, settings};

pub(crate) struct Sender {
    pub(crate) anvil: Anvil,
    pub(crate) broadcaster: EvmBroadcaster,
    numbers: Arc<Numbers>,
    account: Address,
}

/// The first vector of the Web3 Secret Storage definition.
pub(crate) fn keystore() -> Arc<Keystore> {
    static OPENED: OnceLock<Arc<Keystore>> = OnceLock::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keystore.json");
    let open = || Arc::new(Keystore::open(path.as_ref(), "testpassword").unwrap());
    Arc::clone(OPENED.get_or_init(open))
}

impl Sender {
    pub(crate) async fn of(anvil: Anvil, change: impl FnOnce(&mut Settings)) -> Self {
        Self::signing(anvil, keystore(), change).await
    }

    async fn signing(anvil: Anvil, signer: Arc<dyn Signer>, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = settings(&anvil);
        change(&mut settings);
        let account = signer.account();
        let numbers = Arc::new(Numbers::default());
        let node = Arc::new(Node::new(&settings.url, settings.chain_id).unwrap());
        let sequences = Arc::clone(&numbers) as Arc<dyn Sequences>;
        let broadcaster = EvmBroadcaster::new(settings, node, signer, sequences);
        let sender = Self { anvil, broadcaster, numbers, account };
        sender.fund(10 * u128::from(ETHER)).await;
        sender
    }

    pub(crate) async fn fund(&self, wei: u128) {
        self.anvil.ask::<Value>("anvil_setBalance", json!([self.account, U256::from(wei)])).await;
    }

    pub(crate) async fn sign(&self, payout: &Payout) -> Signed {
        let signed = self.broadcaster.sign(payout).await.unwrap();
        self.numbers.stored().insert(signed.sequence.as_ref().unwrap().number);
        signed
    }

    pub(crate) async fn balance(&self, account: Address) -> U256 {
        self.anvil.ask("eth_getBalance", json!([account, "latest"])).await
    }

    pub(crate) async fn known(&self, signed: &Signed) -> Known {
        self.broadcaster.known(&signed.transaction_id).await.unwrap()
    }
}

pub(crate) fn payout(currency: Currency, to: Address, atoms: u128) -> Payout {
    checkout_chain_conformance::payout((currency, Network::Eth), &to.to_checksum(None), None, atoms)
}

#[track_caller]
fn later(result: Result<Signed, Unsent>, said: &str) {
    match result {
        Err(Unsent::Unavailable(error)) => assert!(error.to_string().contains(said), "{error}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn coins_are_sent_once_however_often_they_are_broadcast() {
    let sender = Sender::of(Anvil::start(), |_| {}).await;
    let signed = sender.sign(&payout(Currency::Eth, ours(1), 5)).await;
    assert_eq!(sender.known(&signed).await, Known::Unknown, "signing sends nothing");
    for _ in 0..3 {
        sender.broadcaster.broadcast(&signed).await.unwrap();
    }
    assert_eq!(sender.known(&signed).await, Known::Pending);
    sender.anvil.mine(2).await;
    assert_eq!(sender.known(&signed).await, Known::Confirmed(2));
    sender.broadcaster.broadcast(&signed).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.balance(ours(1)).await, U256::from(5));
}

#[tokio::test]
async fn tokens_are_sent() {
    let anvil = Anvil::start();
    let token = anvil.token(6).await;
    let sender = Sender::of(anvil, |settings| {
        settings.tokens = BTreeMap::from([(Currency::Usdt, token)]);
    })
    .await;
    let wanted = payout(Currency::Usdt, ours(1), 700);
    later(sender.broadcaster.sign(&wanted).await, "has less than 0.0007 USDT");
    sender.anvil.call(token, transferCall { to: sender.account, value: U256::from(1000) }, 0).await;
    sender.anvil.mine(1).await;
    let signed = sender.sign(&wanted).await;
    sender.broadcaster.broadcast(&signed).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&signed).await, Known::Confirmed(1));
    let data = [&hex("70a08231")[..], ours(1).into_word().as_slice()].concat();
    let call = json!([{"to": token, "data": alloy_primitives::Bytes::from(data)}, "latest"]);
    let balance: U256 = sender.anvil.ask("eth_call", call).await;
    assert_eq!(balance, U256::from(700));

    sender.anvil.call(token, block_Call { account: ours(2) }, 0).await;
    sender.anvil.mine(1).await;
    let blocked = sender.broadcaster.sign(&payout(Currency::Usdt, ours(2), 1)).await;
    assert!(matches!(&blocked, Err(Unsent::Refused(why)) if why.contains("blocked")), "{blocked:?}");
    // A missing contract is not a refusal by the network.
    later(sender.broadcaster.sign(&payout(Currency::Link, ours(1), 1)).await, "no contract of LINK");
}

fn hex(text: &str) -> Vec<u8> {
    alloy_primitives::hex::decode(text).unwrap()
}

#[tokio::test]
async fn money_and_gas_are_waited_for() {
    let sender = Sender::of(Anvil::start(), |_| {}).await;
    let wanted = payout(Currency::Eth, ours(1), ETHER.into());
    sender.fund(5).await;
    later(sender.broadcaster.sign(&wanted).await, "has 0.000000000000000005 of the network's coin");
    sender.fund(ETHER.into()).await;
    later(sender.broadcaster.sign(&wanted).await, "needs 1.0");
    sender.fund(2 * u128::from(ETHER)).await;
    sender.sign(&wanted).await;

    let sender = Sender::of(Anvil::start(), |settings| settings.max_fee_per_gas = 1000).await;
    later(sender.broadcaster.sign(&wanted).await, "the cap of 1000 wei");
}

#[tokio::test]
async fn each_payout_has_its_number() {
    let sender = Sender::of(Anvil::start(), |_| {}).await;
    let mut all = Vec::new();
    for number in 0..20 {
        all.push(sender.sign(&payout(Currency::Eth, ours(1), number + 1)).await);
    }
    let numbers: Vec<u64> = all.iter().map(|signed| signed.sequence.as_ref().unwrap().number).collect();
    assert_eq!(numbers, (0..20).collect::<Vec<_>>());
    // In any order: the network orders them by nonce.
    for signed in all.iter().rev() {
        sender.broadcaster.broadcast(signed).await.unwrap();
    }
    sender.anvil.mine(1).await;
    for signed in &all {
        assert_eq!(sender.known(signed).await, Known::Confirmed(1));
    }
    assert_eq!(sender.balance(ours(1)).await, U256::from(210));
    let next = sender.sign(&payout(Currency::Eth, ours(1), 1)).await;
    assert_eq!(next.sequence.unwrap().number, 20);
}

/// The second of two transactions with one nonce is never mined. A server that is behind would answer the same about one that is.
#[tokio::test]
async fn a_used_nonce_does_not_prove_that_a_payout_was_not_sent() {
    let sender = Sender::of(Anvil::start(), |_| {}).await;
    let one = sender.broadcaster.sign(&payout(Currency::Eth, ours(1), 5)).await.unwrap();
    let other = sender.broadcaster.sign(&payout(Currency::Eth, ours(2), 5)).await.unwrap();
    assert_eq!(one.sequence, other.sequence, "a store accepts only one of them");
    sender.broadcaster.broadcast(&one).await.unwrap();
    sender.anvil.mine(1).await;
    for blocks in 1..=4 {
        let unsent = sender.broadcaster.broadcast(&other).await.unwrap_err();
        let is_unproven = matches!(&unsent, Unsent::Unavailable(why) if why.is::<Unproven>());
        assert!(is_unproven, "{blocks}: {unsent:?}");
        sender.anvil.mine(1).await;
    }
    assert_eq!(sender.balance(ours(2)).await, U256::ZERO);
}

/// A contract that spends 1,300,000 gas on each coin that it gets: a loop of 50,000 rounds.
const GREEDY: &str = "0x6200c3505b600190038060045700";

#[tokio::test]
async fn a_recipient_that_takes_too_much_gas_is_refused_before_it_has_a_nonce() {
    let sender = Sender::of(Anvil::start(), |_| {}).await;
    sender.anvil.ask::<Value>("anvil_setCode", json!([ours(2), GREEDY])).await;
    let refused = sender.broadcaster.sign(&payout(Currency::Eth, ours(2), 5)).await.unwrap_err();
    assert!(matches!(&refused, Unsent::Refused(why) if why.contains("the maximum is 300000")), "{refused:?}");
    let next = sender.sign(&payout(Currency::Eth, ours(1), 5)).await;
    sender.broadcaster.broadcast(&next).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&next).await, Known::Confirmed(1));
}

#[tokio::test]
async fn a_chain_without_base_fee() {
    let sender = Sender::of(Anvil::start_with(&["--hardfork", "berlin"]), |_| {}).await;
    let signed = sender.sign(&payout(Currency::Eth, ours(1), 5)).await;
    assert!(signed.bytes[0] >= 0xc0, "a legacy transaction is a plain list");
    sender.broadcaster.broadcast(&signed).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&signed).await, Known::Confirmed(1));
}

/// anvil signs for its own accounts, like a remote signer.
#[tokio::test]
async fn a_remote_signer() {
    let anvil = Anvil::start();
    let remote = Arc::new(RemoteSigner::new(&anvil.url, anvil.rich).unwrap());
    let sender = Sender::signing(anvil, remote, |_| {}).await;
    let signed = sender.sign(&payout(Currency::Eth, ours(1), 5)).await;
    sender.broadcaster.broadcast(&signed).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&signed).await, Known::Confirmed(1));
    assert_eq!(sender.balance(ours(1)).await, U256::from(5));
    // An account whose key the signer does not have.
    let stranger = Arc::new(RemoteSigner::new(&sender.anvil.url, ours(9)).unwrap());
    let sender = Sender::signing(Anvil::start(), stranger, |_| {}).await;
    assert!(sender.broadcaster.sign(&payout(Currency::Eth, ours(1), 5)).await.is_err());
}
