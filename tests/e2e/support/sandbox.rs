//! Controls the simulated chains through the sandbox's control API.

use checkout_core::{Amount, pair};
use checkout_wire::Payment;
use checkout_wire::sandbox::{AdvanceClock, DropTransfer, MineBlocks, SendTransfer, SentTransfer};
use serde_json::Value;

use super::gateway::Gateway;

impl Gateway {
    /// Sends an unconfirmed transfer to the payment's address (and tag). Returns the transaction id.
    pub(crate) fn transfer(&self, payment: &Payment, amount: &str) -> String {
        let sent: SentTransfer = self.post(
            "/sandbox/transfers",
            &SendTransfer {
                network: payment.expected_network.clone().expect("the payer chose a network"),
                currency: payment.deposit_currency.clone().expect("the payer chose a currency"),
                address: payment.wallet_address.clone().expect("an address was given").into(),
                destination_tag: payment.destination_tag.clone().map(Into::into),
                amount: amount.into(),
                from_address: None,
                replaceable: None,
                transaction_id: None,
                sender: None,
            },
        );
        sent.transaction_id
    }

    /// Sends a transfer of exactly the expected amount.
    pub(crate) fn pay(&self, payment: &Payment) -> String {
        self.transfer(payment, &expected(payment))
    }

    /// Confirms pending transfers on the payment's network.
    pub(crate) fn mine(&self, payment: &Payment) {
        let network = payment.expected_network.clone().expect("the payer chose a network");
        let _: Value = self.post("/sandbox/blocks", &MineBlocks { network, count: 1 });
    }

    /// A double spend: the transfer vanishes.
    pub(crate) fn vanish(&self, transaction_id: &str) {
        let _: Value =
            self.post("/sandbox/drops", &DropTransfer { transaction_id: transaction_id.to_owned() });
    }

    /// Advances the gateway's clock.
    pub(crate) fn advance_clock(&self, advance_seconds: u64) {
        let _: Value = self.post("/sandbox/clock", &AdvanceClock { advance_seconds });
    }
}

/// The expected amount of the payment.
pub(crate) fn expected(payment: &Payment) -> String {
    payment.expected_deposit_amount.clone().expect("the payment has a quote").into()
}

/// `numerator/denominator` of the expected amount, and the amount still due after it (zero if negative).
pub(crate) fn share(payment: &Payment, numerator: u128, denominator: u128) -> (String, String) {
    let currency = payment.deposit_currency.as_deref().and_then(|code| code.parse().ok());
    let network = payment.expected_network.as_deref().and_then(|code| code.parse().ok());
    let pair = pair::find(currency.expect("a known currency"), network.expect("a known network"));
    let decimals = pair.expect("a supported pair").decimals;
    let whole = Amount::parse(&expected(payment), decimals).expect("the gateway writes amounts exactly");
    let part = Amount::from_atoms(whole.atoms() * numerator / denominator).expect("a payment is small");
    (part.to_text(decimals), whole.saturating_sub(part).to_text(decimals))
}
