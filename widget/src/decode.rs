//! The gateway's answers, read out of a tree that the browser's `JSON.parse` has built.
//!
//! Far smaller than a JSON parser of our own, and a third of serde's derived code: the whole widget
//! has to fit into 100 KB. The types are those of the wire, so a field that is added there does not
//! compile here until it is read; the tests hold this reader against serde's.
//!
//! `JSON.parse` rounds whole numbers above 2^53; that is why money and tags are strings on the wire,
//! and such a number here is an error.

use std::cell::Cell;

use checkout_core::wire::checkout_view::{CheckoutView, DepositOption};
use checkout_core::wire::payment::{
    Deposit, DepositStatus, OverpaymentPolicy, Payment, PaymentStatus, PaymentType, RateType, Refund,
    RefundReason, RefundStatus, RefundType,
};

/// One value of a parsed JSON document.
/// The default is a value without fields.
pub trait Node: Default {
    /// A field of an object; `None` when there is none, or when it is `null`.
    fn field(&self, name: &str) -> Option<Self>;
    fn text(&self) -> Option<String>;
    /// A whole number from 0 to 2^53.
    fn whole(&self) -> Option<u64>;
    fn flag(&self) -> Option<bool>;
    fn list(&self) -> Option<Vec<Self>>;
}

/// The answer of `GET /api/v1/checkout/{paymentId}`; `None` when it is not readable.
pub fn checkout_view(node: impl Node) -> Option<CheckoutView> {
    read(node, |it| CheckoutView {
        payment: it.object("payment", payment_of),
        merchant_name: it.text("merchantName"),
        allowed_origins: it
            .list("allowedOrigins", false, |origin, faults| origin.text().unwrap_or_else(|| faults.note())),
        options: it.list("options", true, |node, faults| option_of(&Reader { node, faults })),
        sandbox: it.flag_if("sandbox").unwrap_or_default(),
    })
}

/// The answer of `PATCH /api/v1/payments/{paymentId}`.
pub fn updated_payment(node: impl Node) -> Option<Payment> {
    read(node, |it| it.object("paymentInfo", payment_of))
}

/// The answer of `GET /api/v1/payments/{paymentId}`.
pub fn payment(node: impl Node) -> Option<Payment> {
    read(node, payment_of)
}

fn payment_of<N: Node>(it: &Reader<'_, N>) -> Payment {
    Payment {
        payment_id: it.text("paymentId"),
        client_payment_id: it.text("clientPaymentId"),
        business_id: it.text("businessId"),
        status: it.word("status", PaymentStatus::known, PaymentStatus::Other),
        kind: it.word("type", PaymentType::known, PaymentType::Other),
        rate_type: it.word("rateType", RateType::known, RateType::Other),
        processor_type: it.text("processorType"),
        locale: it.text("locale"),
        display_currency: it.text("displayCurrency"),
        deposit_currency: it.text_if("depositCurrency"),
        expected_network: it.text_if("expectedNetwork"),
        expected_deposit_amount: it.text_if("expectedDepositAmount"),
        expected_display_amount: it.text_if("expectedDisplayAmount"),
        expected_uniform_amount: it.text_if("expectedUniformAmount"),
        actual_deposit_amount: it.text("actualDepositAmount"),
        actual_display_amount: it.text("actualDisplayAmount"),
        actual_uniform_amount: it.text_if("actualUniformAmount"),
        expiration_minutes: u32::try_from(it.whole("expirationMinutes")).unwrap_or_else(|_| it.faults.note()),
        payment_initiated_at: it.whole("paymentInitiatedAt"),
        payment_requested_at: it.whole_if("paymentRequestedAt"),
        wallet_address: it.text_if("walletAddress"),
        deposits: it.list("deposits", true, |node, faults| deposit_of(&Reader { node, faults })),
        redirect_url: it.text_if("redirectUrl"),
        overpayment_policy: it.word_if(
            "overpaymentPolicy",
            OverpaymentPolicy::known,
            OverpaymentPolicy::Other,
        ),
        refund_follow_up_deposits_for_one_time_payments: it
            .flag_if("refundFollowUpDepositsForOneTimePayments"),
        destination_tag: it.text_if("destinationTag"),
    }
}

fn option_of<N: Node>(it: &Reader<'_, N>) -> DepositOption {
    DepositOption {
        currency: it.text("currency"),
        network: it.text("network"),
        estimated_amount: it.text_if("estimatedAmount"),
    }
}

fn deposit_of<N: Node>(it: &Reader<'_, N>) -> Deposit {
    Deposit {
        id: it.text("id"),
        deposit_amount: it.text("depositAmount"),
        deposit_currency: it.text("depositCurrency"),
        deposit_received_at: it.whole("depositReceivedAt"),
        display_amount: it.text("displayAmount"),
        display_currency: it.text("displayCurrency"),
        status: it.word("status", DepositStatus::known, DepositStatus::Other),
        from_address: it.text("fromAddress"),
        to_address: it.text("toAddress"),
        transaction_id: it.text("transactionId"),
        on_chain_fee: it.text("onChainFee"),
        refund: it.field("refund").map(|node| refund_of(&Reader { node, faults: it.faults })),
    }
}

fn refund_of<N: Node>(it: &Reader<'_, N>) -> Refund {
    Refund {
        kind: it.word("type", RefundType::known, RefundType::Other),
        status: it.word("status", RefundStatus::known, RefundStatus::Other),
        reason: it.word("reason", RefundReason::known, RefundReason::Other),
        amount: it.text("amount"),
        fee: it.text("fee"),
        display_currency: it.text("displayCurrency"),
        display_amount: it.text("displayAmount"),
        display_fee: it.text("displayFee"),
        transaction_id: it.text_if("transactionId"),
        confirmed_at: it.whole_if("confirmedAt"),
    }
}

fn read<N: Node, T>(node: N, read: impl FnOnce(&Reader<'_, N>) -> T) -> Option<T> {
    let faults = Faults::default();
    let value = read(&Reader { node, faults: &faults });
    (!faults.0.get()).then_some(value)
}

/// Whether anything was missing or of another type. Noted aside, so that reading goes straight on:
/// to stop at each of fifty fields would be most of the code.
#[derive(Default)]
struct Faults(Cell<bool>);

impl Faults {
    fn note<T: Default>(&self) -> T {
        self.0.set(true);
        T::default()
    }
}

struct Reader<'a, N> {
    node: N,
    faults: &'a Faults,
}

impl<N: Node> Reader<'_, N> {
    #[inline(never)]
    fn field(&self, name: &str) -> Option<N> {
        self.node.field(name)
    }

    /// A text that must be there.
    #[inline(never)]
    fn text(&self, name: &str) -> String {
        self.text_if(name).unwrap_or_else(|| self.faults.note())
    }

    #[inline(never)]
    fn text_if(&self, name: &str) -> Option<String> {
        self.field(name).map(|value| value.text().unwrap_or_else(|| self.faults.note()))
    }

    #[inline(never)]
    fn whole(&self, name: &str) -> u64 {
        self.whole_if(name).unwrap_or_else(|| self.faults.note())
    }

    #[inline(never)]
    fn whole_if(&self, name: &str) -> Option<u64> {
        self.field(name).map(|value| value.whole().unwrap_or_else(|| self.faults.note()))
    }

    fn flag_if(&self, name: &str) -> Option<bool> {
        self.field(name).map(|value| value.flag().unwrap_or_else(|| self.faults.note()))
    }

    /// A word of a list; one that this version does not know is kept.
    fn word<W>(&self, name: &str, known: fn(&str) -> Option<W>, other: fn(String) -> W) -> W {
        let word = self.text(name);
        known(&word).unwrap_or_else(|| other(word))
    }

    fn word_if<W>(&self, name: &str, known: fn(&str) -> Option<W>, other: fn(String) -> W) -> Option<W> {
        self.text_if(name).map(|word| known(&word).unwrap_or_else(|| other(word)))
    }

    /// An object that must be there.
    fn object<T>(&self, name: &str, read: fn(&Reader<'_, N>) -> T) -> T
    where
        N: Default,
    {
        let node = self.field(name).unwrap_or_else(|| self.faults.note());
        read(&Reader { node, faults: self.faults })
    }

    fn list<T>(&self, name: &str, must: bool, read: impl Fn(N, &Faults) -> T) -> Vec<T> {
        match self.field(name) {
            None if !must => Vec::new(),
            field => {
                let list = field.and_then(|field| field.list()).unwrap_or_else(|| self.faults.note());
                list.into_iter().map(|node| read(node, self.faults)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests;
