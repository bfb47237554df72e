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
use checkout_domain::payment::plan_refunds;
use checkout_domain::payment::refund::{Plan, Refund};
use checkout_domain::payment::refund_phase::{Phase, Step};
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
    for deposit in &record.deposits {
        let known = record.refunds.get(&deposit.id);
        let change = (plans.get(&deposit.id), business.refund_address);
        if let Some(refund) = follow_plan(app, tx, &record.payment, (deposit, known), change).await? {
            let waited = known.is_some_and(|known| known.phase.wait().is_some());
            if refund.phase.wait().is_some() && !waited {
                keep_link::keep_link(app, tx, record.payment.id).await?;
            }
            record.refunds.insert(refund.id, refund);
        }
        let returned = record.returned(deposit);
        let known = booked.get(&deposit.id).copied();
        let now = book(app, tx, owner, (deposit, returned), known, &mut entries).await?;
        if known != Some(now) {
            booked.insert(deposit.id, now);
            changed.push((deposit.id, now));
        }
    }
    tx.post_all(&entries).await?;
    tx.put_booked(&changed).await
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

/// What becomes of the refund of a deposit; `None` if it stays. A refund that can no longer be cancelled stays.
async fn follow_plan(
    app: &App,
    tx: &mut dyn PayoutTx,
    payment: &Payment,
    (deposit, known): (&Deposit, Option<&Refund>),
    (plan, by): (Option<&Plan>, RefundAddress),
) -> Stored<Option<Refund>> {
    if known.is_some_and(Refund::is_binding) || plan.copied() == known.and_then(Refund::plan) {
        return Ok(None);
    }
    if let Some(Phase::Leaving(Step::Queued, transfer)) = known.map(|known| &known.phase) {
        let cancelled = tx.payout(transfer.payout).await?.and_then(Payout::cancelled);
        let Some(cancelled) = cancelled else { return Ok(None) }; // It was signed in the meantime.
        tx.save_payout(cancelled).await?;
    }
    let refund = match (known, plan) {
        (known, Some(plan)) => {
            let new = || (app.new_id(), app.clock.now());
            let owner = (payment.business, new);
            let (refund, payout) = plan_refunds::planned(deposit, known, (plan, by), owner);
            if let Some(payout) = payout {
                tx.insert_payout(&payout).await?;
            }
            let wait = refund.phase.wait().map(|(_, why)| why);
            if wait.is_some_and(|why| why != NoRefundAddress::UnconfirmedSender.as_str()) {
                tracing::warn!(deposit = %deposit.id, wait, "a refund waits: see `checkout refunds`");
            }
            tracing::info!(deposit = %deposit.id, possible = refund.lasts(), "refund planned");
            refund
        }
        (Some(known), None) => known.clone().dropped(deposit),
        (None, None) => return Ok(None),
    };
    tx.put_refund(payment.id, payment.business, &refund).await?;
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
    (deposit, returned): (&Deposit, Amount),
    known: Option<Booked>,
    entries: &mut Vec<Entry>,
) -> Stored<Booked> {
    let mut booked = known.unwrap_or_else(|| first_terms(app, owner, deposit));
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
            booked.booked_at = app.clock.now();
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
        booked_at: 0,
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
