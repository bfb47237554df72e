//! A payout that waits because gas became more expensive is replaced, and paid once.

use alloy_primitives::U256;
use checkout_chain_evm::Settings;
use checkout_core::Currency;
use checkout_domain::chain::payout::Signed;
use checkout_domain::chain::waiting::{ReplaceAfter, Waiting};
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Replacement, Unsent};
use serde_json::{Value, json};

use crate::node::{Anvil, ETHER};
use crate::payouts::{Sender, payout};
use crate::view::ours;

const GWEI: u64 = 1_000_000_000;

/// Seconds after which a payout is replaced in these tests.
const AFTER: u64 = 60;

impl Sender {
    async fn impatient(flags: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        Self::of(Anvil::start_with(flags), |settings| {
            settings.replace_after = ReplaceAfter::Seconds(AFTER);
            change(settings);
        })
        .await
    }

    async fn sent(&self, recipient: u8) -> Signed {
        let signed = self.sign(&payout(Currency::Eth, ours(recipient), 5)).await;
        self.broadcaster.broadcast(&signed).await.unwrap();
        signed
    }

    /// The next block is too expensive for what was signed before.
    async fn gas_rises(&self, gwei: u64) {
        self.anvil.ask::<Value>("anvil_setNextBlockBaseFeePerGas", json!([U256::from(gwei * GWEI)])).await;
        self.anvil.mine(1).await;
    }

    async fn replace(&self, signed: &Signed, waited: u64) -> Result<Replacement, Unsent> {
        let waiting = Waiting { since: 0, now: waited };
        self.broadcaster.replace(&payout(Currency::Eth, ours(1), 5), signed, waiting).await
    }

    async fn latest_time(&self) -> u64 {
        let block: Value = self.anvil.ask("eth_getBlockByNumber", json!(["latest", false])).await;
        block["timestamp"].as_str().unwrap().parse::<U256>().unwrap().to()
    }

    async fn replaced(&self, signed: &Signed) -> Signed {
        match self.replace(signed, AFTER).await {
            Ok(Replacement::Signed(replacement)) => replacement,
            other => panic!("it is not replaced: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_stuck_payout_is_replaced_and_paid_once() {
    let sender = Sender::impatient(&[], |_| {}).await;
    let (first, behind) = (sender.sent(1).await, sender.sent(2).await);
    sender.gas_rises(50).await;
    // anvil drops what is too cheap for the next block; other nodes keep it.
    for signed in [&first, &behind] {
        assert_eq!(sender.known(signed).await, Known::Unknown);
        assert!(
            matches!(sender.broadcaster.broadcast(signed).await, Err(Unsent::Unavailable(_))),
            "it is stuck"
        );
    }
    assert_eq!(sender.replace(&first, AFTER - 1).await.unwrap(), Replacement::None, "too early");
    assert_eq!(sender.replace(&behind, AFTER).await.unwrap(), Replacement::None, "another one comes first");

    let second = sender.replaced(&first).await;
    assert_eq!(second.sequence, first.sequence);
    assert_eq!(sender.known(&second).await, Known::Unknown, "it is stored before it is sent");
    for _ in 0..2 {
        sender.broadcaster.broadcast(&second).await.unwrap();
    }
    sender.anvil.mine(1).await;
    assert_eq!(
        (sender.known(&second).await, sender.known(&first).await),
        (Known::Confirmed(1), Known::Unknown)
    );
    assert_eq!(sender.balance(ours(1)).await, U256::from(5));

    let behind = sender.replaced(&behind).await;
    sender.broadcaster.broadcast(&behind).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(
        (sender.balance(ours(1)).await, sender.balance(ours(2)).await),
        (U256::from(5), U256::from(5))
    );
    // The nonce is used: the first is never taken again, and no third one is signed.
    assert!(matches!(sender.broadcaster.broadcast(&first).await, Err(Unsent::Unavailable(_))));
    assert_eq!(sender.replace(&second, AFTER).await.unwrap(), Replacement::None);
}

/// A node whose minimum is higher refuses it at once: no memory pool ever had it.
#[tokio::test]
async fn a_payout_that_the_node_never_took_is_replaced_and_paid_once() {
    let sender = Sender::impatient(&[], |_| {}).await;
    let first = sender.sign(&payout(Currency::Eth, ours(1), 5)).await;
    sender.gas_rises(50).await;
    let refused = sender.broadcaster.broadcast(&first).await;
    assert!(matches!(refused, Err(Unsent::Unavailable(_))), "{refused:?}");
    let second = sender.replaced(&first).await;
    sender.broadcaster.broadcast(&second).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&second).await, Known::Confirmed(1));
    assert!(matches!(sender.broadcaster.broadcast(&first).await, Err(Unsent::Unavailable(_))));
    assert_eq!(sender.balance(ours(1)).await, U256::from(5));
}

/// While no block is found, a higher fee buys nothing.
#[tokio::test]
async fn a_payout_is_replaced_after_a_number_of_blocks() {
    let change = |settings: &mut Settings| settings.replace_after = ReplaceAfter::Blocks(3);
    let sender = Sender::impatient(&[], change).await;
    let first = sender.sent(1).await;
    let since = sender.latest_time().await;
    sender.anvil.ask::<Value>("evm_increaseTime", json!([60])).await;
    let replace = async || {
        let waiting = Waiting { since, now: since + 1_000_000 };
        sender.broadcaster.replace(&payout(Currency::Eth, ours(1), 5), &first, waiting).await.unwrap()
    };
    assert_eq!(replace().await, Replacement::None);
    sender.gas_rises(50).await;
    sender.anvil.mine(1).await;
    assert_eq!(replace().await, Replacement::None, "two blocks");
    sender.anvil.mine(1).await;
    assert!(matches!(replace().await, Replacement::Signed(_)), "three blocks");
}

#[tokio::test]
async fn a_replacement_never_pays_more_than_the_cap() {
    let cap = 60 * u128::from(GWEI);
    let sender = Sender::impatient(&[], |settings| settings.max_fee_per_gas = cap).await;
    let first = sender.sent(1).await;
    sender.gas_rises(55).await;
    let second = sender.replaced(&first).await;
    sender.broadcaster.broadcast(&second).await.unwrap();
    sender.gas_rises(70).await;
    assert_eq!(sender.known(&second).await, Known::Unknown);
    assert_eq!(sender.replace(&second, AFTER).await.unwrap(), Replacement::Capped);
}

#[tokio::test]
async fn an_account_without_coins_for_the_fee_waits() {
    let sender = Sender::impatient(&[], |_| {}).await;
    let first = sender.sent(1).await;
    sender.gas_rises(50).await;
    sender.fund(u128::from(ETHER) / 1_000_000_000).await;
    let waits = sender.replace(&first, AFTER).await;
    assert!(
        matches!(&waits, Err(Unsent::Unavailable(why)) if why.to_string().contains("needs 0.0")),
        "{waits:?}"
    );
}

#[tokio::test]
async fn a_chain_without_base_fee_has_replacements_too() {
    let sender = Sender::impatient(&["--hardfork", "berlin"], |_| {}).await;
    let first = sender.sent(1).await;
    let second = sender.replaced(&first).await;
    sender.broadcaster.broadcast(&second).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(
        (sender.known(&second).await, sender.known(&first).await),
        (Known::Confirmed(1), Known::Unknown)
    );
    assert_eq!(sender.balance(ours(1)).await, U256::from(5));
}
