use alloy_primitives::{Address, U256};
use checkout_chain_evm::Settings;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Unsent};
use serde_json::{Value, json};

use crate::node::Anvil;
use crate::payouts::{Sender, payout};
use crate::view::ours;

fn deposit(index: u32) -> OutputId {
    OutputId { network: Network::Eth, transaction: format!("0x{}", "00".repeat(32)), index }
}

impl Sender {
    async fn set_code(&self, account: Address, code: &str) {
        self.anvil.ask::<Value>("anvil_setCode", json!([account, code])).await;
    }

    async fn judged(&self, sender: Address, index: u32) -> Option<NoRefundAddress> {
        let refund = payout(Currency::Eth, sender, 5);
        self.broadcaster.no_refund_address(&refund, &deposit(index)).await.unwrap()
    }
}

/// An account that delegates to a contract (EIP-7702) is the account of a person.
#[tokio::test]
async fn contracts_and_senders_in_traces_are_not_refunded() {
    let sender = Sender::of(Anvil::start(), |_| {}).await;
    let (_, forwarder) = sender.anvil.make("Forwarder", Vec::new(), 0).await;
    sender.anvil.mine(1).await;
    sender.set_code(ours(3), &format!("0xef0100{}", "11".repeat(20))).await;
    assert_eq!(sender.judged(sender.anvil.rich, 0).await, None);
    assert_eq!(sender.judged(ours(3), 0).await, None);
    assert_eq!(sender.judged(forwarder, 1).await, Some(NoRefundAddress::Contract), "it sent a token");
    assert_eq!(
        sender.judged(sender.anvil.rich, 1 << 31).await,
        Some(NoRefundAddress::InternalTransfer),
        "a contract sent it"
    );
}

#[tokio::test]
async fn a_refund_costs_gas_at_the_price_of_the_next_block() {
    let sender = Sender::of(Anvil::start(), |settings| settings.max_fee_per_gas = 500_000_000_000).await;
    let refund = payout(Currency::Eth, ours(1), 5);
    for gwei in [20_u64, 400] {
        let wei = U256::from(gwei) * U256::from(1_000_000_000_u64);
        sender.anvil.ask::<Value>("anvil_setNextBlockBaseFeePerGas", json!([wei])).await;
        sender.anvil.mine(1).await;
        let fee = sender.broadcaster.fee(&refund).await.unwrap().unwrap();
        let least = Decimal::new(i64::try_from(gwei * 21_000).unwrap(), 9);
        assert!(fee >= least && fee < least * Decimal::TWO, "{gwei} gwei: {fee}");
    }
    let wei = U256::from(600) * U256::from(1_000_000_000_u64);
    sender.anvil.ask::<Value>("anvil_setNextBlockBaseFeePerGas", json!([wei])).await;
    sender.anvil.mine(1).await;
    assert!(sender.broadcaster.fee(&refund).await.is_err(), "above the cap it waits, as when it is signed");
}

/// The recipient became a contract that takes nothing, after the transaction was signed.
#[tokio::test]
async fn a_payout_that_reverts_in_its_block_is_known_as_such() {
    let finality = |settings: &mut Settings| settings.finality = Finality::with([(Network::Eth, 3)]);
    let sender = Sender::of(Anvil::start(), finality).await;
    let signed = sender.sign(&payout(Currency::Eth, ours(2), 5)).await;
    sender.set_code(ours(2), "0x60006000fd").await;
    sender.broadcaster.broadcast(&signed).await.unwrap();
    assert_eq!(sender.known(&signed).await, Known::Pending);
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&signed).await, Known::Reverted(1));
    sender.anvil.mine(1).await;
    assert!(matches!(sender.broadcaster.broadcast(&signed).await, Err(Unsent::Unavailable(_))));
    sender.anvil.mine(1).await;
    assert_eq!(sender.known(&signed).await, Known::Reverted(3));
    assert!(matches!(sender.broadcaster.broadcast(&signed).await, Err(Unsent::Refused(_))), "it is final");
    assert_eq!(sender.balance(ours(2)).await, U256::ZERO);
    let next = sender.sign(&payout(Currency::Eth, ours(1), 5)).await;
    let number = |signed: &checkout_domain::chain::payout::Signed| signed.sequence.as_ref().unwrap().number;
    assert_eq!(number(&next), number(&signed) + 1, "its number is used");
}
