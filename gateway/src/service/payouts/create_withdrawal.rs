//! Creates a withdrawal.

use checkout_core::{Amount, Decimal, Pair};
use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::Entry;
use checkout_domain::ledger::limits::{self, cut_to_step};
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::refund_said::Given;
use checkout_domain::ports::{NoRate, Stored, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::{ORGANISATION_KEY, Withdrawal};
use checkout_wire::create_withdrawal::{WithdrawalAccount, WithdrawalStatus};
use checkout_wire::{self as wire, FieldError};

use super::daily_limit::withdrawn;
use super::recipient;
use super::withdrawal_request::{Target, WithdrawalRequest};
use crate::render::withdrawal as render;
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payouts::spendable::spendable;
use crate::service::payouts::{network_fee, own_address};
use crate::service::refused::{ClientId, Created, Refused, no_errors};
use crate::service::transfers::book;
use crate::service::transfers::missing_rate::MissingRate;

const TAKEN: Refused = Refused::Taken(ClientId::Withdrawal);

/// Charges the balance. [`pay_out`](super::pay_out) sends the withdrawal; a replay has the same answer.
pub async fn create(
    app: &App,
    caller: Caller,
    initiator: Actor,
    business: &Business,
    request: &WithdrawalRequest,
) -> Result<Created<wire::Withdrawal>, Refused> {
    let (hash, pair) = (request.hash(), request.pair);
    let fee = network_fee::of(app, pair).await;
    let is_own = own_address::is_own(app, pair.network, &request.recipient.address).await;
    let mut tx = app.store.begin().await?;
    if let Some((known, known_hash)) =
        tx.withdrawal_by_client_id(business.id, &request.client_withdrawal_id).await?
    {
        if known_hash != hash {
            return Err(TAKEN);
        }
        return Ok(Created { body: render::withdrawal(&known, WithdrawalStatus::New), replayed: true });
    }
    no_errors(recipient::untaken(business, pair))?;
    if is_own {
        return Err(Refused::OwnAddress("recipientAddress"));
    }
    if !app.broadcasters.contains_key(&pair.network) {
        return Err(Refused::NetworkUnavailable(pair.network));
    }
    let fee = fee.ok_or(Refused::NetworkUnavailable(pair.network))?;
    let mut withdrawal = ask(app, tx.as_mut(), caller, business, request, fee).await?;
    withdrawal.initiator = Some(initiator);
    if !reserve(app, tx.as_mut(), &withdrawal, &hash, PayoutState::Waiting).await? {
        // Another gateway on the same store inserted it first.
        return Err(TAKEN);
    }
    announce_events::withdrawal(app, tx.as_mut(), business.id, withdrawal.id, EventType::WithdrawalCreated)
        .await?;
    if let Err(error) = tx.commit().await
        && !(error.is_unknown() && is_stored(app, &withdrawal).await)
    {
        return Err(error.into());
    }
    Ok(Created { body: render::withdrawal(&withdrawal, WithdrawalStatus::New), replayed: false })
}

/// Charges the balance for a withdrawal, or for a refund of the merchant. Returns false if the business has one with the same id.
pub(crate) async fn reserve(
    app: &App,
    tx: &mut dyn Tx,
    withdrawal: &Withdrawal,
    hash: &str,
    state: PayoutState,
) -> Stored<bool> {
    let rules = tx.rules(withdrawal.business, app.clock.now()).await?;
    tx.insert_payout(&payout(withdrawal, state)).await?;
    if !tx.insert_withdrawal(withdrawal, hash).await? {
        return Ok(false);
    }
    if rules.approval_above.is_some_and(|most| withdrawal.uniform_amount > most) {
        tx.require_approval(withdrawal.id).await?;
        tracing::warn!(withdrawal = %withdrawal.id, business = %withdrawal.business, eur = %withdrawal.uniform_amount,
            "a withdrawal waits for an approval: see `checkout payouts unapproved`");
    }
    let lines =
        [(withdrawal.balance(), withdrawal.deducted.negated()), (withdrawal.reserved(), withdrawal.deducted)];
    let header = book::header(app, withdrawal.business, withdrawal.cause(), withdrawal.payment());
    tx.post(&Entry::new(header, book::price(app), lines)).await?;
    Ok(true)
}

/// Looks up the withdrawal after the answer to a commit was lost.
pub(crate) async fn is_stored(app: &App, withdrawal: &Withdrawal) -> bool {
    let find = async { app.store.begin().await?.withdrawal(withdrawal.id).await };
    matches!(find.await, Ok(Some(_)))
}

/// Prices and checks the request, and reads the balance to charge.
async fn ask(
    app: &App,
    tx: &mut dyn Tx,
    caller: Caller,
    business: &Business,
    request: &WithdrawalRequest,
    fee: Amount,
) -> Result<Withdrawal, Refused> {
    const AMOUNT: &str = "targetAmount";
    let own = Asset::Crypto(request.pair.currency);
    let settlement = match request.account {
        WithdrawalAccount::Fiat => Asset::Fiat(Fiat::EUR),
        WithdrawalAccount::Crypto => business.settlement_crypto.map_or(own, Asset::Crypto),
    };
    let share = app.policy.fees.withdrawal;
    let priced = |asset| price(app, caller, business, request, (asset, share, fee), AMOUNT);
    let mut withdrawal = priced(settlement)?;
    let mut balance = spendable(tx, business.id, (withdrawal.balance(), settlement), None).await?;
    // The coins of a time in which deposits were settled in their own.
    if request.account == WithdrawalAccount::Crypto
        && !balance.covers(withdrawal.deducted)
        && let Ok(other) = priced(own)
    {
        let own_balance = spendable(tx, business.id, (other.balance(), own), None).await?;
        if own_balance.covers(other.deducted) {
            (withdrawal, balance) = (other, own_balance);
        }
    }
    no_errors(beyond_limits(AMOUNT, &withdrawal, limits::of(withdrawal.pair).minimum))?;
    if !balance.covers(withdrawal.deducted) {
        let detail = balance.lacks(withdrawal.deducted);
        return Err(FieldError::of(AMOUNT, "insufficient_balance", detail).into());
    }
    let to = (business.id, withdrawal.pair, &Given::of(&withdrawal));
    let errors = [
        not_whitelisted(app, tx, "recipientAddress", to).await?,
        above_network_fee(app, tx, AMOUNT, &withdrawal).await?,
        above_daily_limit(app, tx, AMOUNT, &withdrawal).await?,
    ];
    no_errors(errors.into_iter().flatten())?;
    Ok(withdrawal)
}

/// The price at current rates: charges are rounded up, payouts down. It is charged to a balance in this asset, with this share as the
/// service fee, and this fee of the network. `field` has the amount.
pub(crate) fn price(
    app: &App,
    caller: Caller,
    business: &Business,
    request: &WithdrawalRequest,
    (settlement, service_share, fee): (Asset, Decimal, Amount),
    field: &str,
) -> Result<Withdrawal, Refused> {
    let (pair, fiat) = (request.pair, request.display_currency);
    let (coin, eur) = (Asset::Crypto(pair.currency), Asset::Fiat(Fiat::EUR));
    let rate = |from, to| {
        let missing = MissingRate { from, to, account: Some(request.account) };
        app.rates.rate(from, to).map_err(|NoRate| Refused::NoRate(missing))
    };
    // Beyond the numeric range.
    let too_large = || {
        let maximum = limits::of(pair).maximum.to_text(pair.decimals);
        let detail = format!("is more than {maximum} {}", pair.currency);
        Refused::from(FieldError::of(field, "above_maximum", detail))
    };
    let (display_rate, eur_rate) = (rate(coin, Asset::Fiat(fiat))?, rate(coin, eur)?);
    let settlement_rate = if settlement == eur { Decimal::ONE } else { rate(settlement, eur)? };

    let amount = match request.target {
        Target::Crypto(amount) => amount,
        Target::Fiat(amount) => {
            let amount = Money::of_fiat(Asset::Fiat(fiat), amount).ok_or_else(too_large)?;
            let coins =
                amount.convert(coin, Decimal::ONE, display_rate, Round::Down).ok_or_else(too_large)?;
            cut_to_step(coins.to_amount(pair).map_err(|_| too_large())?, pair)
        }
    };
    let money = |amount: Amount| Money::of_amount(amount, pair).ok_or_else(too_large);
    let charge =
        |money: Money| money.convert(settlement, eur_rate, settlement_rate, Round::Up).ok_or_else(too_large);
    let shown = |money: Money, fiat, rate, round| {
        let shown = money.convert(Asset::Fiat(fiat), rate, Decimal::ONE, round);
        shown.map(Money::to_decimal).ok_or_else(too_large)
    };
    let share = |money: Money| money.share(service_share, Round::Up).ok_or_else(too_large);
    let (sent, cost) = (money(amount)?, money(fee)?);
    let service_fee = share(charge(sent)?)?;
    let coin_fee = share(sent)?;
    // The coins of a fiat amount are rounded down, the amount itself stays as it was asked for.
    let value = |fiat, rate| match request.target {
        Target::Fiat(asked) if fiat == request.display_currency => Ok(asked),
        Target::Fiat(_) | Target::Crypto(_) => shown(sent, fiat, rate, Round::Down),
    };
    let id = app.new_id();
    Ok(Withdrawal {
        id,
        business: business.id,
        refunds: None,
        client_withdrawal_id: request.client_withdrawal_id.clone(),
        pair,
        recipient: request.recipient.given.clone(),
        to: request.recipient.address.clone(),
        tag: request.recipient.tag.clone(),
        policy: request.policy,
        account: request.account,
        initiated_by: match caller {
            Caller::Organisation => ORGANISATION_KEY,
            Caller::Business(_) => "BUSINESS_TOKEN",
            Caller::Session { .. } => "PAYER",
        }
        .to_owned(),
        initiator: None,
        status: WithdrawalStatus::New,
        amount,
        fee,
        display_currency: fiat,
        display_amount: value(fiat, display_rate)?,
        display_fee: shown(cost, fiat, display_rate, Round::Up)?,
        display_service_fee: shown(coin_fee, fiat, display_rate, Round::Up)?,
        deducted: charge(sent.plus(cost))?.plus(service_fee),
        service_fee,
        uniform_amount: value(Fiat::EUR, eur_rate)?,
        uniform_service_fee: shown(coin_fee, Fiat::EUR, eur_rate, Round::Up)?,
        owner: None,
        screened_at: None,
        transaction_id: None,
        created_at: app.clock.now(),
        approval: None,
        approved: None,
        asked_fee: None,
        why: None,
    })
}

/// The error of an amount below a minimum, or above the maximum of its pair.
pub(crate) fn beyond_limits(field: &str, withdrawal: &Withdrawal, minimum: Amount) -> Option<FieldError> {
    let (pair, maximum) = (withdrawal.pair, limits::of(withdrawal.pair).maximum);
    let text = |amount: Amount| format!("{} {}", amount.to_text(pair.decimals), pair.currency);
    let (code, relation, limit) = if withdrawal.amount < minimum {
        ("below_minimum", "less", minimum)
    } else if withdrawal.amount > maximum {
        ("above_maximum", "more", maximum)
    } else {
        return None;
    };
    let detail = format!("{} is {relation} than {}", text(withdrawal.amount), text(limit));
    Some(FieldError::of(field, code, detail))
}

/// The error of a recipient that the business does not allow.
pub(crate) async fn not_whitelisted(
    app: &App,
    tx: &mut dyn Tx,
    field: &str,
    to: (BusinessId, &Pair, &Given),
) -> Stored<Option<FieldError>> {
    let detail = "is not whitelisted with this tag, and the business withdraws to whitelisted addresses only";
    let is_allowed = may_receive(app, tx, to).await?;
    Ok((!is_allowed).then(|| FieldError::of(field, "not_whitelisted", detail)))
}

/// Whether the business allows a recipient.
pub(crate) async fn may_receive(
    app: &App,
    tx: &mut dyn Tx,
    (business, pair, to): (BusinessId, &Pair, &Given),
) -> Stored<bool> {
    let (rules, now) = (tx.rules(business, app.clock.now()).await?, app.clock.now());
    Ok(!rules.whitelist_only || tx.is_whitelisted(business, pair, to, now).await?)
}

/// The error if the network asks for more than the business pays. A fee without a value is more than any limit.
pub(crate) async fn above_network_fee(
    app: &App,
    tx: &mut dyn Tx,
    field: &str,
    withdrawal: &Withdrawal,
) -> Stored<Option<FieldError>> {
    let Some(most) = tx.rules(withdrawal.business, app.clock.now()).await?.maximum_network_fee else {
        return Ok(None);
    };
    let (pair, eur) = (withdrawal.pair, Asset::Fiat(Fiat::EUR));
    let value =
        app.rates.rate(Asset::Crypto(pair.currency), eur).ok().and_then(|rate| {
            Money::of_amount(withdrawal.fee, pair)?.convert(eur, rate, Decimal::ONE, Round::Up)
        });
    if value.is_some_and(|value| value.to_decimal() <= most) {
        return Ok(None);
    }
    let fee = withdrawal.fee.to_text(pair.decimals);
    let worth = value.map(|value| format!(" or {value} EUR")).unwrap_or_default();
    let detail = format!(
        "costs a fee of {fee} {}{worth} on {}, and the business pays at most {most} EUR",
        pair.currency, pair.network
    );
    Ok(Some(FieldError::of(field, "above_maximum_fee", detail)))
}

/// The error if the withdrawals of a day are above the limit of the business. The balance is read before.
pub(crate) async fn above_daily_limit(
    app: &App,
    tx: &mut dyn Tx,
    field: &str,
    withdrawal: &Withdrawal,
) -> Stored<Option<FieldError>> {
    let rules = tx.rules(withdrawal.business, app.clock.now()).await?;
    let Some(most) = rules.daily_limit else { return Ok(None) };
    let (before, amount) = (withdrawn(app, tx, withdrawal.business).await?, withdrawal.uniform_amount);
    let detail = || {
        format!(
            "{amount} EUR after {before} EUR in 24 hours are more than the business's limit of {most} EUR"
        )
    };
    let is_above = before.saturating_add(amount) > most;
    Ok(is_above.then(|| FieldError::of(field, "above_daily_limit", detail())))
}

fn payout(withdrawal: &Withdrawal, state: PayoutState) -> Payout {
    Payout {
        id: withdrawal.id,
        business: withdrawal.business,
        purpose: withdrawal.purpose(),
        pair: withdrawal.pair,
        amount: withdrawal.amount,
        to: withdrawal.to.clone(),
        tag: withdrawal.tag.clone(),
        claimed: false,
        created_at: withdrawal.created_at,
        state,
        hold: Hold::Free,
        why: None,
        revision: 0,
    }
}
