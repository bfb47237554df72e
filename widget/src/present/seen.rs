//! Screen `seen`, and the list of deposits that the later screens share.

use checkout_core::wire::payment::{RefundStatus, RefundType};
use checkout_core::wire::{Deposit, DepositStatus, Refund};

use super::{Scene, Status, coins, coins_text, network_name};
use crate::quote::{Quote, received};
use crate::state::Watching;
use crate::words::fill;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub title: &'static str,
    pub text: String,
    pub hint: String,
    pub deposits: Vec<DepositLine>,
    pub status: Status,
}

/// A deposit in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepositLine {
    pub amount: String,
    pub status: &'static str,
    pub confirmed: bool,
    pub time: String,
    pub transaction_label: &'static str,
    pub transaction: String,
    pub refund: Option<RefundLine>,
}

/// The refund of a deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundLine {
    /// The status on the wire.
    pub value: String,
    pub text: String,
    /// The recipient's address and the transaction, if known.
    pub facts: Vec<(&'static str, String)>,
}

pub(super) fn seen(scene: Scene<'_>, watching: &Watching) -> Seen {
    let Scene { opened, words, .. } = scene;
    let payment = &opened.payment;
    let quote = watching.quote.as_ref();
    let received = quote.and_then(|quote| received(payment, quote));
    let received = received.and_then(|sum| sum.confirmed.checked_add(sum.unconfirmed).ok());
    let amount = match (received, quote) {
        (Some(sum), Some(quote)) => coins(sum, quote.pair),
        _ => payment.deposits.first().map_or(String::new(), deposit_amount),
    };
    // A deposit to an earlier address is on the network of an earlier choice.
    let here = |quote: &&Quote| payment.deposits.iter().all(|deposit| deposit.to_address == quote.address);
    let network = quote.filter(here).map(|quote| network_name(quote.pair));
    let template = if network.is_some() { words.pay.seen_text } else { words.pay.seen_text_elsewhere };
    let network = network.unwrap_or_default();
    Seen {
        title: words.pay.seen_title,
        text: fill(template, &[("amount", &amount), ("network", &network)]),
        hint: fill(words.pay.seen_hint, &[("merchant", &opened.merchant)]),
        deposits: deposits(scene),
        status: scene.status(words.pay.confirming),
    }
}

pub(super) fn deposits(scene: Scene<'_>) -> Vec<DepositLine> {
    let words = &scene.words.done;
    let line = |deposit: &Deposit| {
        let confirmed = deposit.status == DepositStatus::Confirmed;
        DepositLine {
            amount: deposit_amount(deposit),
            status: if confirmed { words.confirmed } else { words.unconfirmed },
            confirmed,
            time: scene.format.time(deposit.deposit_received_at),
            transaction_label: words.transaction,
            transaction: deposit.transaction_id.clone(),
            refund: deposit.refund.as_ref().map(|refund| refund_line(scene, deposit, refund)),
        }
    };
    scene.opened.payment.deposits.iter().map(line).collect()
}

fn deposit_amount(deposit: &Deposit) -> String {
    coins_text(&deposit.deposit_amount, &deposit.deposit_currency)
}

fn refund_line(scene: Scene<'_>, deposit: &Deposit, refund: &Refund) -> RefundLine {
    let words = &scene.words.refund;
    let amount = coins_text(&refund.amount, &deposit.deposit_currency);
    let (template, goes_back) = match (&refund.status, &refund.kind) {
        (RefundStatus::Confirmed, _) => (words.confirmed, true),
        (RefundStatus::NonRefundable, RefundType::Full) => (words.non_refundable_full, false),
        (RefundStatus::NonRefundable, _) => (words.non_refundable, false),
        _ => (words.pending, true),
    };
    let mut facts = Vec::new();
    if goes_back && !deposit.from_address.is_empty() {
        facts.push((words.to, deposit.from_address.clone()));
    }
    if let Some(transaction) = &refund.transaction_id {
        facts.push((scene.words.done.transaction, transaction.clone()));
    }
    RefundLine {
        value: refund.status.as_str().to_owned(),
        text: fill(template, &[("amount", &amount)]),
        facts,
    }
}
