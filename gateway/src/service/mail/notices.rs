//! Writes to operators what waits for a person: each occurrence once, to each of them.

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Currency, pair};
use checkout_domain::chain::payout::why::Why;
use checkout_domain::ledger::money::Money;
use checkout_domain::mail::{BegunMail, Content, NewMail};
use checkout_domain::ports::Stored;
use checkout_domain::ports::mail::Letter;
use checkout_domain::ports::notices::WaitingPayouts;
use checkout_domain::ports::refunds::WaitingRefund;
use checkout_domain::ports::screening::Flagged;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use sha2::{Digest as _, Sha256};
use uuid::{Builder, Uuid};

use crate::service::App;
use crate::service::payouts::compare_wallets;
use crate::texts::html::escape;

/// Of each list, so many are told at once; the next ones follow.
const AT_ONCE: u32 = 100;

/// Seconds after which a payout is said to wait for what may pass by itself.
const PATIENCE: u64 = 15 * 60;

/// A withdrawal that was made longer ago, in seconds, is not told when it fails: who names a mailbox hears nothing of former years.
const RECENT: u64 = 30 * 86_400;

/// What waits, and what is said of it.
#[derive(Clone)]
struct Notice {
    /// What is told once; of what lasts, its name.
    cause: String,
    /// The view of the desk.
    view: &'static str,
    text: String,
}

/// Stores what was not said before.
pub async fn write(app: &App) -> Stored<()> {
    let Some(mail) = app.mail.as_ref().filter(|mail| !mail.notices_to.is_empty()) else { return Ok(()) };
    let lasting = lasting(app).await?;
    let mut new = Vec::new();
    for to in &mail.notices_to {
        let mut untold = held_deposits(app, to).await?;
        untold.extend(waiting_refunds(app, to).await?);
        untold.extend(withdrawals(app, to).await?);
        let things = app.store.untold_things(to).await?.into_iter();
        untold.extend(
            things.filter_map(|(cause, thing)| Some(Notice { cause, ..lasting.get(&thing)?.clone() })),
        );
        new.extend(untold.into_iter().map(|notice| (to, notice)));
    }
    if new.is_empty() {
        return Ok(());
    }
    let (mut tx, now) = (app.store.begin().await?, app.clock.now());
    for (to, Notice { cause, view, text }) in new {
        let link = mail.desk_url.as_ref().map_or(String::new(), |desk| format!(" {desk}/#/{view}"));
        let content = Content::Notice { to: to.clone(), text: [text, link].concat() };
        tx.put_mail(&NewMail { id: app.new_id(), cause, content, created_at: now }).await?;
    }
    tx.commit().await
}

async fn held_deposits(app: &App, to: &str) -> Stored<Vec<Notice>> {
    let notice = |(cause, deposit): (String, Flagged)| Notice {
        cause,
        view: "deposits",
        text: format!(
            "Deposit {} of {} {} for order {} is held ({}): release or refuse it.",
            deposit.deposit,
            deposit.amount.to_text(deposit.pair.decimals),
            deposit.pair.currency,
            deposit.client_payment_id,
            deposit.reason(),
        ),
    };
    Ok(app.store.untold_deposits(to, AT_ONCE).await?.into_iter().map(notice).collect())
}

async fn waiting_refunds(app: &App, to: &str) -> Stored<Vec<Notice>> {
    let notice = |(cause, refund): (String, WaitingRefund)| Notice {
        cause,
        view: "refunds",
        text: format!(
            "The refund of {} {} for order {} waits for an {} ({}).",
            refund.gross.to_text(refund.pair.decimals),
            refund.pair.currency,
            refund.client_payment_id,
            refund.wait.0.as_str().to_ascii_lowercase(),
            refund.wait.1,
        ),
    };
    Ok(app.store.untold_refunds(to, AT_ONCE).await?.into_iter().map(notice).collect())
}

/// Those that failed or wait for an approval, with the refunds of merchants.
async fn withdrawals(app: &App, to: &str) -> Stored<Vec<Notice>> {
    let made_since = app.clock.now().saturating_sub(RECENT);
    let notice = |(cause, withdrawal): (String, Withdrawal)| {
        let (view, what) = match withdrawal.refunds {
            Some(_) => ("refunds", "Refund"),
            None => ("withdrawals", "Withdrawal"),
        };
        let waits = match withdrawal.status {
            WithdrawalStatus::Failed => "failed: its money is in the balance again",
            _ => "waits for an approval",
        };
        let id = &withdrawal.client_withdrawal_id;
        let amount = withdrawal.amount.to_text(withdrawal.pair.decimals);
        Notice { cause, view, text: format!("{what} {id} of {amount} {} {waits}.", withdrawal.pair.currency) }
    };
    Ok(app.store.untold_withdrawals(to, made_since, AT_ONCE).await?.into_iter().map(notice).collect())
}

/// What lasts and is for a person, by its name. What begins is stored, and what is over.
async fn lasting(app: &App) -> Stored<BTreeMap<String, Notice>> {
    let (now, known) = (app.clock.now(), app.store.lasting().await?);
    let compared = compare_wallets::compared(app);
    let (payouts, lacks) = (app.store.waiting_payouts().await?, compare_wallets::lacking(app).await?);
    let mut still: BTreeSet<String> = payouts.iter().map(name).collect();
    still.extend(lacks.iter().map(|(currency, _)| wallet(*currency)));
    let is_told = |waits: &&WaitingPayouts| is_for_a_person(waits.why, now.saturating_sub(waits.since));
    let notices = payouts.iter().filter(is_told).map(of_payouts).chain(lacks.into_iter().map(of_wallet));
    let lasting: BTreeMap<String, Notice> = notices.map(|notice| (notice.cause.clone(), notice)).collect();

    // Another gateway may have read a wallet later, and one that was not read twice was read at 0. Of a currency without a network
    // nothing lasts.
    let pairs = pair::EVERY_PAIR.iter().filter(|pair| app.chains.contains_key(&pair.network));
    let wallets: BTreeMap<String, u64> = pairs
        .map(|pair| (wallet(pair.currency), compared.get(&pair.currency).copied().unwrap_or_default()))
        .collect();
    let read_at = |thing: &String| wallets.get(thing).copied().unwrap_or(now);
    let begun: Vec<&String> = lasting.keys().filter(|thing| !known.contains(*thing)).collect();
    let over: Vec<&String> = known.iter().filter(|thing| !still.contains(*thing)).collect();
    if !begun.is_empty() || !over.is_empty() {
        let (mut tx, now) = (app.store.begin().await?, app.clock.now());
        for thing in begun {
            tx.begin_lasting(thing, read_at(thing), now).await?;
        }
        for thing in over {
            tx.end_lasting(thing, read_at(thing), now).await?;
        }
        tx.commit().await?;
    }
    Ok(lasting)
}

fn name(waiting: &WaitingPayouts) -> String {
    format!("payouts/{}/{}/{}", waiting.business, waiting.network, waiting.why.as_str())
}

fn of_payouts(waiting: &WaitingPayouts) -> Notice {
    let WaitingPayouts { business, network, why, count, oldest, .. } = waiting;
    let wait = if *count == 1 { "payout waits" } else { "payouts wait" };
    Notice {
        cause: name(waiting),
        view: if waiting.are_refunds { "refunds" } else { "withdrawals" },
        text: format!(
            "{count} {wait} on {network} ({}), of business {business}; the oldest is {oldest}. {}",
            why.as_str(),
            why.sentence(),
        ),
    }
}

fn is_for_a_person(why: Why, waited: u64) -> bool {
    match why {
        Why::Disabled | Why::Held | Why::Overdrawn | Why::HourlyLimit | Why::NoNetwork => true,
        Why::Unscreened | Why::Unanswered | Why::FeeUnknown | Why::Fee | Why::Unsigned => waited >= PATIENCE,
        // What waits for an approval is said of its withdrawal or refund.
        Why::Rejected
        | Why::Unapproved
        | Why::ApprovedOtherwise
        | Why::NotFinal
        | Why::OwnAddress
        | Why::Changed => false,
    }
}

fn wallet(currency: Currency) -> String {
    format!("wallet/{currency}")
}

fn of_wallet((currency, money): (Currency, Money)) -> Notice {
    Notice {
        cause: wallet(currency),
        view: "balances",
        text: format!(
            "The wallets hold {money} {currency} less than the books say. `checkout wallets` records what you moved."
        ),
    }
}

/// The same of the same mails, and of no others.
fn id(begun: &[BegunMail]) -> Uuid {
    if let [one] = begun {
        return one.id;
    }
    let digest: [u8; 32] =
        begun.iter().fold(Sha256::new(), |digest, mail| digest.chain_update(mail.id)).finalize().into();
    Builder::from_custom_bytes(std::array::from_fn(|place| digest[place])).into_uuid()
}

/// All that is due for a mailbox as one mail.
pub(super) fn letter(to: &str, begun: &[BegunMail]) -> Letter {
    let text = |mail: &BegunMail| match &mail.content {
        Content::Notice { text, .. } => text.clone(),
        Content::Receipt { .. } => String::new(),
    };
    let texts: Vec<String> = begun.iter().map(text).collect();
    let things = if texts.len() == 1 { "1 thing waits" } else { &format!("{} things wait", texts.len()) };
    let item = |text: &String| format!("<li>{}</li>\n", escape(text));
    Letter {
        id: id(begun),
        to: to.to_owned(),
        subject: format!("Checkout: {things} for a person"),
        text: texts.join("\n\n"),
        html: format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Checkout</title>\n<ul>\n{}</ul></html>",
            texts.iter().map(item).collect::<String>()
        ),
    }
}
