//! Updates refunds and ledger entries after changes of a payment's deposits.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Decimal};
use checkout_domain::business::Business;
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::settlement::{Booked, Depth, Prices, Settlement, Split, Terms, settle};
use checkout_domain::ledger::{Account, Entry, exchange};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::destination::is_of_own_wallet;
use checkout_domain::payment::plan_refunds::{self, Sendable};
use checkout_domain::payment::refund::{Claim, Plan, Refund};
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Quote};
use checkout_domain::ports::ledger::LedgerTx;
use checkout_domain::ports::payouts::PayoutTx;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::market::MarketRate;
use checkout_wire::payment::RefundAddress;
use uuid::Uuid;

use crate::service::App;
use crate::service::payments::keep_link;
use crate::service::transfers::{book, depth, valuation};

/// Brings refunds and ledger in line with the facts; repeating it changes nothing. `booked` has what is booked of each
/// deposit, before and afterwards.
pub async fn follow(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &mut PaymentWithDeposits,
    booked: &mut BTreeMap<Uuid, Booked>,
) -> Stored<()> {
    let plans = plans(record, Deposit::is_confirmed);
    let owner = Owner {
        business,
        payment: record.payment.id,
        quotes: &record.quotes,
        fiat: record.payment.display_currency,
    };
    let (mut entries, mut changed) = (Vec::new(), Vec::new());
    for deposit in &mut record.deposits {
        let plan = plans.get(&deposit.id);
        if plan.is_some() || deposit.refund.is_some() {
            let (waited, claim) = (waits(deposit), claim(deposit).cloned());
            deposit.refund =
                follow_plan(app, tx, &record.payment, deposit, (plan, business.refund_address)).await?;
            if waits(deposit) && !waited {
                keep_link::keep_link(app, tx, record.payment.id).await?;
            }
            let kept_claim = claim.filter(|_| deposit.refund.is_none());
            if deposit.kept_claim != kept_claim {
                deposit.kept_claim = kept_claim;
                tx.update_deposit(deposit).await?;
            }
        }
        let known = booked.get(&deposit.id).copied();
        let now = book(app, tx, owner, deposit, known, &mut entries).await?;
        if known != Some(now) {
            booked.insert(deposit.id, now);
            changed.push((deposit.id, now));
        }
    }
    tx.post_all(&entries).await?;
    tx.put_booked(&changed).await
}

fn waits(deposit: &Deposit) -> bool {
    deposit.refund.as_ref().is_some_and(|refund| refund.phase.wait().is_some())
}

/// The payer's request, if it stays whatever is planned: what was approved is an operator's decision.
fn claim(deposit: &Deposit) -> Option<&Claim> {
    let stays = |refund: &Refund| refund.is_claimed() || refund.is_refused() || is_of_own_wallet(deposit);
    deposit.claim().filter(|_| deposit.refund.as_ref().is_none_or(stays))
}

/// The planned refund of each deposit, counting those selected by `counts`.
pub fn plans(record: &PaymentWithDeposits, counts: impl Fn(&Deposit) -> bool) -> BTreeMap<Uuid, Plan> {
    plan_refunds::plans(record, counts).into_iter().collect()
}

/// The merchant's credit for a credited deposit, confirmed or not.
pub fn settlement(deposit: &Deposit, plan: Option<&Plan>, booked: &Booked) -> Option<Settlement> {
    let goes_back = |plan: &&Plan| plan_refunds::is_worth_its_fee(plan, deposit.pair());
    let returned = plan.filter(goes_back).map(|plan| plan.gross);
    let kept = deposit.amount.saturating_sub(returned.unwrap_or(Amount::ZERO));
    Money::of_amount(kept, deposit.pair()).map(|kept| settle(kept, booked.terms, booked.prices))
}

/// The expected refund of a deposit. A refund that can no longer be cancelled stays.
async fn follow_plan(
    app: &App,
    tx: &mut dyn PayoutTx,
    payment: &Payment,
    deposit: &Deposit,
    (plan, by): (Option<&Plan>, RefundAddress),
) -> Stored<Option<Refund>> {
    if let Some(known) = &deposit.refund {
        if known.is_binding() || plan.copied() == known.plan() {
            return Ok(Some(known.clone()));
        }
        if let Phase::Queued(transfer) = &known.phase {
            let cancelled = tx.payout(transfer.payout).await?.and_then(Payout::cancelled);
            let Some(cancelled) = cancelled else { return Ok(Some(known.clone())) }; // It was signed in the meantime.
            tx.save_payout(cancelled).await?;
        }
        tx.delete_refund(deposit.id).await?;
    }
    let Some(plan) = plan else { return Ok(None) };
    let (fee, sendable) = plan_refunds::sendable(deposit, plan, by);
    let known = deposit.refund.as_ref();
    let mut refund = deposit.planned(plan, fee);
    refund.claim = claim(deposit).cloned();
    let asked = match known {
        Some(known) => known.is_claimed().then(|| known.phase.clone()),
        None if deposit.decision.is_some() || is_of_own_wallet(deposit) => None,
        None => deposit.kept_claim.as_ref().map(Claim::phase),
    };
    let other =
        deposit.decision.as_ref().filter(|decision| decision.gross.is_some_and(|gross| gross != plan.gross));
    match (sendable, other, asked) {
        // It keeps the address that was approved, for when it is worth something again.
        (Sendable::No, ..) => {}
        (Sendable::To(_) | Sendable::Waits(_), Some(decision), _) => {
            tx.put_decision(deposit.id, None).await?;
            let (claim, phase) = decision.again();
            (refund.claim, refund.phase) = (refund.claim.or(claim), phase);
        }
        // An address that the payer asked for stays the only one, whatever the amount is now.
        (Sendable::To(_) | Sendable::Waits(_), None, Some(asked)) => refund.phase = asked,
        (Sendable::Waits(NoRefundAddress::UnconfirmedSender), None, None) => {
            refund.phase = Phase::NeedsAddress(NoRefundAddress::UnconfirmedSender);
        }
        (Sendable::Waits(why), None, None) => {
            tracing::warn!(deposit = %deposit.id, reason = why.as_str(), "a refund waits for an address: see `checkout refunds`");
            refund.phase = Phase::NeedsAddress(why);
        }
        (Sendable::To(to), None, None) => {
            let (id, is_given) = (app.new_id(), deposit.given().is_some());
            let payout = refund.payout(id, payment.business, to, is_given, app.clock.now());
            tx.insert_payout(&payout).await?;
            refund.phase = Phase::queued(&payout);
        }
    }
    tx.put_refund(payment.id, payment.business, &refund).await?;
    tracing::info!(deposit = %deposit.id, possible = refund.lasts(), "refund planned");
    Ok(Some(refund))
}

/// Whose deposit is booked.
#[derive(Clone, Copy)]
struct Owner<'a> {
    business: &'a Business,
    payment: PaymentId,
    quotes: &'a [Quote],
    fiat: Fiat,
}

/// The entries of confirmed and held deposits, and those that reverse the booking of one that left the chain or is
/// split differently.
async fn book(
    app: &App,
    tx: &mut dyn LedgerTx,
    owner: Owner<'_>,
    deposit: &Deposit,
    known: Option<Booked>,
    entries: &mut Vec<Entry>,
) -> Stored<Booked> {
    let mut booked = known.unwrap_or_else(|| first_terms(app, owner, deposit));
    let returned = deposit.refund.as_ref().map_or(Amount::ZERO, Refund::returned);
    let split = if deposit.is_confirmed() && !deposit.being_valued {
        Some(Split { kept: deposit.amount.saturating_sub(returned), returned })
    } else if deposit.is_confirmed() {
        Some(Split { kept: Amount::ZERO, returned }) // It is held until it has a value.
    } else {
        deposit.is_held().then_some(Split { kept: Amount::ZERO, returned: Amount::ZERO })
    };
    if booked.split != split {
        if booked.split.is_some() {
            let cause = cause(deposit, booked.generation);
            if let Some(entry) = tx.entry(&cause.to_string()).await? {
                entries.push(entry.reversed(app.new_id(), cause.reversed()));
            }
        }
        if booked.split.is_none() || split.is_none() {
            booked.depth = if split.is_some() { depth::depth(app, deposit) } else { Depth::Final };
        }
        booked.split = split;
        if let Some(split) = split {
            booked.generation += 1;
            if let Some(entry) = entry(app, owner, deposit, &booked, split) {
                entries.push(entry);
            } else {
                tracing::error!(deposit = %deposit.id, "exceeds the ledger's maximum: not booked");
            }
        }
    }
    Ok(booked)
}

fn cause(deposit: &Deposit, generation: u32) -> Cause {
    Cause::Deposit { id: deposit.id, generation }
}

fn entry(app: &App, owner: Owner<'_>, deposit: &Deposit, booked: &Booked, split: Split) -> Option<Entry> {
    let pair = deposit.pair();
    let all = Money::of_amount(deposit.amount, pair)?;
    let kept = Money::of_amount(split.kept, pair)?;
    let returned = Money::of_amount(split.returned, pair)?;
    let settled = settle(kept, booked.terms, booked.prices);
    let mut lines = vec![
        (Account::Chain, all.negated()),
        (Account::Refunds, returned),
        (Account::Held, all.less(kept).less(returned)),
    ];
    for (account, part) in settled.credits() {
        if part.gross.asset != part.from.asset {
            lines.extend(exchange(part.from, part.gross));
        }
        lines.extend([(account, part.net()), (Account::Fees, part.fee)]);
    }
    let price = |asset| match asset {
        Asset::Fiat(Fiat::EUR) => Some(MarketRate::new(Decimal::ONE)),
        _ if asset == all.asset => Some(booked.prices.deposit),
        _ => Some(booked.prices.crypto),
    };
    let cause = cause(deposit, booked.generation);
    let header = book::header(app, owner.business.id, cause, Some(owner.payment));
    Some(Entry::new(
        header,
        |asset| price(asset).filter(|price| price.is_known()).map(MarketRate::eur),
        lines,
    ))
}

/// The terms of a deposit, fixed when it was first seen. What it is worth is the market's rate, whatever its quote says.
fn first_terms(app: &App, owner: Owner<'_>, deposit: &Deposit) -> Booked {
    let business = owner.business;
    let crypto = business.settlement_crypto.unwrap_or(deposit.currency);
    let market = valuation::market(app, owner.quotes, deposit.currency, owner.fiat);
    let market = market.filter(|_| !deposit.being_valued).map_or(MarketRate::UNKNOWN, |rates| rates.uniform);
    let price = crypto_price(app, crypto, deposit.currency, market);
    Booked {
        business: business.id,
        network: deposit.output.network,
        terms: Terms { ratio: business.settlement_ratio, crypto, fee: app.policy.fees.deposit },
        prices: Prices { deposit: market, crypto: price },
        generation: 0,
        split: None,
        depth: Depth::Final,
    }
}

/// The price of the coin of the settlement, for coins that have this price.
pub(crate) fn crypto_price(
    app: &App,
    crypto: Currency,
    deposited: Currency,
    price: MarketRate,
) -> MarketRate {
    if crypto == deposited {
        return price;
    }
    let rate = app.rates.rate(Asset::Crypto(crypto), Asset::Fiat(Fiat::EUR));
    rate.map_or(MarketRate::UNKNOWN, MarketRate::new)
}
