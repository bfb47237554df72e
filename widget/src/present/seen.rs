//! Screen `seen`, and the list of deposits that the later screens share.

use checkout_core::{Amount, Pair};
use checkout_wire::payment::{RefundStatus, RefundType};
use checkout_wire::rules::Received;
use checkout_wire::{Deposit, DepositStatus, Payment, Refund};

use super::claims::{ClaimLine, lines};
use super::form_link::{FormLink, lookup_link};
use super::links::{Link, Return, way_back};
use super::{Scene, Status, coins, coins_text, counted, network_name};
use crate::opened::Opened;
use crate::quote::{Quote, received};
use crate::state::{Leaving, Watching};
use crate::words::{Words, fill};

/// So many transfers are listed.
const LAST: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub title: &'static str,
    pub text: String,
    pub hint: String,
    /// The steps of a transfer, in order.
    pub steps: [Step; 3],
    pub deposits: Vec<DepositLine>,
    pub claims: Vec<ClaimLine>,
    pub way_back: Return,
    pub lookup: Option<FormLink>,
    pub status: Status,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub label: String,
    /// How long it usually takes.
    pub note: Option<String>,
    pub done: bool,
    pub current: bool,
}

/// A deposit in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepositLine {
    pub amount: String,
    /// The network on which it arrived.
    pub network: Option<String>,
    pub status: &'static str,
    pub confirmed: bool,
    /// When it came, and its confirmations while it waits for several.
    pub time: String,
    pub transaction_label: &'static str,
    pub transaction: String,
    /// The transaction in a public block explorer.
    pub explorer: Option<Link>,
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
    let arrived = quote.and_then(|quote| received(payment, quote)).map(Received::total);
    let amount = match arrived.zip(quote) {
        Some((sum, quote)) => coins(sum, quote.pair, words),
        None => payment.deposits.first().map_or(String::new(), |first| deposit_amount(first, words)),
    };
    // A deposit to an earlier address is on the network of an earlier choice.
    let mut pairs = payment.deposits.iter().map(|deposit| opened.pair_of(deposit));
    let pair = pairs
        .next()
        .flatten()
        .filter(|first| pairs.all(|pair| pair.is_some_and(|pair| pair.network == first.network)));
    let network = pair.map(network_name);
    let being_valued = payment
        .deposits
        .iter()
        .any(|deposit| deposit.being_valued == Some(true) && deposit.status == DepositStatus::Confirmed);
    let template = match &network {
        _ if being_valued => words.pay.valued_text,
        Some(_) => words.pay.seen_text,
        None => words.pay.seen_text_elsewhere,
    };
    let network = network.unwrap_or_default();
    let count = fewest_confirmations(opened);
    // Otherwise a rest may be missing, and the payer has to come back.
    let is_covered = arrived.is_some() || opened.remaining.is_some();
    let hint = match is_covered && is_reported(payment, quote, arrived) {
        _ if being_valued => words.pay.valued_hint,
        true => words.pay.seen_hint_reported,
        false if is_covered => words.pay.seen_hint,
        false => words.page.watched,
    };
    Seen {
        title: words.pay.seen_title,
        text: fill(template, &[("amount", &amount), ("network", &network)]),
        hint: fill(hint, &[("merchant", &opened.merchant)]),
        steps: steps(scene, count, pair, being_valued),
        deposits: deposits(scene),
        claims: lines(scene),
        way_back: way_back(scene, Leaving::NotYet),
        lookup: lookup_link(scene),
        status: scene.status(words.pay.confirming),
    }
}

/// Whether the gateway credited all deposits, so that the merchant knows of them before they are confirmed.
fn is_reported(payment: &Payment, quote: Option<&Quote>, arrived: Option<Amount>) -> bool {
    let Some(quote) = quote else { return false };
    let Ok(actual) = Amount::parse(&payment.actual_deposit_amount, quote.pair.decimals) else { return false };
    !actual.is_zero() && arrived.is_none_or(|arrived| actual >= arrived)
}

fn steps(scene: Scene<'_>, count: Option<(u64, u64)>, pair: Option<&Pair>, confirmed: bool) -> [Step; 3] {
    let words = &scene.words.transfer;
    let confirming = match count {
        Some(count) => confirmations(scene, count),
        None => words.confirming.to_owned(),
    };
    let usual = pair
        .filter(|_| !confirmed)
        .map(|pair| usual_time(pair, count.map_or(1, |(_, required)| required), scene));
    [
        Step { label: words.seen.to_owned(), note: None, done: true, current: false },
        Step { label: confirming, note: usual, done: confirmed, current: !confirmed },
        Step { label: words.confirmed.to_owned(), note: None, done: confirmed, current: false },
    ]
}

/// Of the waiting deposit with the fewest confirmations; `None` if one of them is not counted.
fn fewest_confirmations(opened: &Opened) -> Option<(u64, u64)> {
    let mut fewest = None;
    for deposit in &opened.payment.deposits {
        if deposit.status != DepositStatus::Confirmed {
            let count = opened.confirmations(deposit)?;
            if fewest.is_none_or(|(done, _)| count.0 < done) {
                fewest = Some(count);
            }
        }
    }
    fewest
}

fn confirmations(scene: Scene<'_>, (done, required): (u64, u64)) -> String {
    let facts = [("done", &*done.to_string()), ("required", &*required.to_string())];
    fill(scene.words.transfer.confirmations, &facts)
}

/// The time of the blocks that a transfer needs.
pub(super) fn usual_time(pair: &Pair, blocks: u64, scene: Scene<'_>) -> String {
    let seconds = u64::from(pair.network.spec().block_seconds) * blocks.min(1_000);
    let words = &scene.words.transfer;
    if seconds < 60 {
        return words.usual_soon.to_owned();
    }
    counted(&words.usual_minutes, seconds.div_ceil(60), scene.format)
}

/// `None` in the sandbox and on a test network, whose transactions are not in explorers.
fn explorer(scene: Scene<'_>, pair: &Pair, transaction: &str) -> Option<Link> {
    let plain = transaction.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let public = !scene.opened.sandbox && scene.opened.test_network(pair.network).is_none();
    (plain && public).then(|| Link {
        label: scene.words.transfer.explorer.to_owned(),
        href: pair.network.spec().explorer.transaction(transaction),
    })
}

/// The last transfers, and the earlier ones that have a refund; the page's sums are those of all.
pub(super) fn deposits(scene: Scene<'_>) -> Vec<DepositLine> {
    let all = &scene.opened.payment.deposits;
    let words = &scene.words.done;
    let claims = &scene.opened.claims;
    let is_claimed =
        |deposit: &Deposit| claims.iter().any(|claim| claim.deposit_id.as_ref() == Some(&deposit.id));
    let line = |deposit: &Deposit| {
        let confirmed = deposit.status == DepositStatus::Confirmed;
        let pair = scene.opened.pair_of(deposit);
        let mut time = scene.format.time(deposit.deposit_received_at.0);
        if let Some(count) = scene.opened.confirmations(deposit) {
            time.push_str(" · ");
            time.push_str(&confirmations(scene, count));
        }
        DepositLine {
            amount: deposit_amount(deposit, scene.words),
            network: pair.map(network_name),
            explorer: pair.and_then(|pair| explorer(scene, pair, &deposit.transaction_id)),
            status: if confirmed { words.confirmed } else { words.unconfirmed },
            confirmed,
            time,
            transaction_label: words.transaction,
            transaction: deposit.transaction_id.clone(),
            // A claim says what becomes of it.
            refund: deposit
                .refund
                .as_ref()
                .filter(|_| !is_claimed(deposit))
                .map(|refund| refund_line(scene, deposit, refund)),
        }
    };
    let is_shown = |place: usize, deposit: &Deposit| place + LAST >= all.len() || deposit.refund.is_some();
    all.iter()
        .enumerate()
        .filter(|(place, deposit)| is_shown(*place, deposit))
        .map(|(_, deposit)| line(deposit))
        .collect()
}

pub(super) fn deposit_amount(deposit: &Deposit, words: &Words) -> String {
    coins_text(&deposit.deposit_amount, &deposit.deposit_currency, words)
}

fn refund_line(scene: Scene<'_>, deposit: &Deposit, refund: &Refund) -> RefundLine {
    let words = &scene.words.refund;
    let amount = coins_text(&refund.amount, &deposit.deposit_currency, scene.words);
    let (template, goes_back) = match (refund.status.known(), refund.kind.known()) {
        (Some(RefundStatus::Confirmed), _) => (words.confirmed, true),
        (Some(RefundStatus::NonRefundable), Some(RefundType::Full)) => (words.non_refundable_full, false),
        (Some(RefundStatus::NonRefundable), _) => (words.non_refundable, false),
        (Some(RefundStatus::Pending) | None, _) if refund.waiting_for.is_some() => (words.waiting, false),
        (Some(RefundStatus::Pending) | None, _) => (words.pending, true),
    };
    let mut facts = Vec::new();
    if goes_back && refund.fee.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        facts.push((
            scene.words.transfer.refund_fee,
            coins_text(&refund.fee, &deposit.deposit_currency, scene.words),
        ));
    }
    if goes_back && !deposit.from_address.is_empty() {
        facts.push((words.to, deposit.from_address.clone()));
    }
    if let Some(transaction) = &refund.transaction_id {
        facts.push((scene.words.done.transaction, transaction.clone()));
    }
    RefundLine {
        value: refund.status.as_str().to_owned(),
        text: fill(template, &[("amount", &amount), ("merchant", &scene.opened.merchant)]),
        facts,
    }
}
