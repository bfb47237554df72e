//! Writes to operators what waits for a person: each thing and cause once.

use std::collections::BTreeSet;

use checkout_core::Currency;
use checkout_domain::chain::payout::why::Why;
use checkout_domain::chain::screening::Screening;
use checkout_domain::ledger::money::Money;
use checkout_domain::mail::{BegunMail, Content, NewMail};
use checkout_domain::ports::Stored;
use checkout_domain::ports::mail::Letter;
use checkout_domain::ports::refunds::WaitingRefund;
use checkout_domain::ports::screening::Flagged;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use parking_lot::Mutex;
use uuid::Uuid;

use super::Mail;
use crate::service::App;
use crate::service::payouts::compare_wallets;
use crate::texts::html::escape;

/// Of each list, the newest.
const LISTED: u32 = 100;

/// Seconds after which a payout is said to wait for what may pass by itself.
const PATIENCE: u64 = 15 * 60;

/// The causes that this process knows to be stored, of what still waits.
#[derive(Debug, Default)]
pub struct Notices(Mutex<BTreeSet<String>>);

impl Notices {
    fn are_stored(&self, causes: &BTreeSet<String>) -> bool {
        causes.is_subset(&self.0.lock())
    }

    fn keep(&self, causes: BTreeSet<String>) {
        *self.0.lock() = causes;
    }
}

/// What waits, why, and what is said of it.
struct Notice {
    cause: String,
    /// The view of the desk.
    view: &'static str,
    text: String,
}

/// Stores what was not said before.
pub async fn write(app: &App) -> Stored<()> {
    let Some(mail) = app.mail.as_ref().filter(|mail| !mail.notices_to.is_empty()) else { return Ok(()) };
    let mut notices = held_deposits(app).await?;
    notices.extend(waiting_refunds(app).await?);
    notices.extend(withdrawals(app).await?);
    notices.extend(waiting_payouts(app).await?);
    notices.extend(wallets(app).await?);
    let causes = notices.iter().map(|notice| notice.cause.clone()).collect();
    if app.state.notices.are_stored(&causes) {
        return Ok(());
    }
    let mut tx = app.store.begin().await?;
    for Notice { cause, view, text } in notices {
        let link = mail.desk_url.as_ref().map_or(String::new(), |desk| format!(" {desk}/#/{view}"));
        let content = Content::Notice([text, link].concat());
        let cause = format!("notice/{cause}");
        tx.put_mail(&NewMail { id: app.new_id(), cause, content, created_at: app.clock.now() }).await?;
    }
    tx.commit().await?;
    app.state.notices.keep(causes);
    Ok(())
}

async fn held_deposits(app: &App) -> Stored<Vec<Notice>> {
    let flagged = app.store.flagged_deposits(None, Some(Screening::Flagged), LISTED).await?;
    let notice = |deposit: &Flagged| Notice {
        cause: format!("deposit/{}/{}", deposit.deposit, deposit.reason()),
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
    Ok(flagged.iter().filter(|deposit| !deposit.vanished).map(notice).collect())
}

/// Without those that the payer has to confirm.
async fn waiting_refunds(app: &App) -> Stored<Vec<Notice>> {
    const BY_PAYER: &str = "UNCONFIRMED_SENDER";
    let waiting = app.store.waiting_refunds(None, LISTED).await?;
    let notice = |refund: &WaitingRefund| Notice {
        cause: format!("refund/{}/{}", refund.deposit, refund.wait.1),
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
    Ok(waiting.iter().filter(|refund| refund.wait.1 != BY_PAYER).map(notice).collect())
}

/// Those that failed or wait for an approval.
async fn withdrawals(app: &App) -> Stored<Vec<Notice>> {
    let mut all = app.store.newest_withdrawals(LISTED).await?;
    all.retain(|withdrawal| withdrawal.status == WithdrawalStatus::Failed);
    let failed =
        all.into_iter().map(|withdrawal| (withdrawal, "FAILED", "failed: its money is in the balance again"));
    let unapproved = app.store.unapproved().await?;
    let unapproved =
        unapproved.into_iter().map(|withdrawal| (withdrawal, "UNAPPROVED", "waits for an approval"));
    let notice = |(withdrawal, cause, what): (Withdrawal, &str, &str)| Notice {
        cause: format!("withdrawal/{}/{cause}", withdrawal.id),
        view: if withdrawal.refunds.is_some() { "refunds" } else { "withdrawals" },
        text: format!(
            "Withdrawal {} of {} {} {what}.",
            withdrawal.client_withdrawal_id,
            withdrawal.amount.to_text(withdrawal.pair.decimals),
            withdrawal.pair.currency,
        ),
    };
    Ok(failed.chain(unapproved).map(notice).collect())
}

/// Payouts that do not leave, and those that may have been sent before a restore.
async fn waiting_payouts(app: &App) -> Stored<Vec<Notice>> {
    let (now, mut after) = (app.clock.now(), None);
    let mut notices = Vec::new();
    loop {
        let page = app.store.open_payouts(None, after).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        for payout in &page {
            let waited = now.saturating_sub(payout.created_at);
            let Some(why) = payout.why.filter(|why| is_for_a_person(*why, waited)) else { continue };
            notices.push(Notice {
                cause: format!("payout/{}/{}", payout.id, why.as_str()),
                view: if payout.purpose.has_payment() { "refunds" } else { "withdrawals" },
                text: format!(
                    "Payout {} of {} {} on {} waits ({}). {}",
                    payout.id,
                    payout.amount.to_text(payout.pair.decimals),
                    payout.pair.currency,
                    payout.pair.network,
                    why.as_str(),
                    why.sentence(),
                ),
            });
        }
    }
    Ok(notices)
}

fn is_for_a_person(why: Why, waited: u64) -> bool {
    match why {
        Why::Disabled | Why::ApprovedOtherwise | Why::Held | Why::HourlyLimit | Why::NoNetwork => true,
        Why::Unscreened | Why::Unanswered | Why::FeeUnknown | Why::Fee | Why::Unsigned => waited >= PATIENCE,
        // What is unapproved is said of its withdrawal or refund.
        Why::Rejected | Why::Unapproved | Why::NotFinal | Why::OwnAddress | Why::Changed => false,
    }
}

async fn wallets(app: &App) -> Stored<Vec<Notice>> {
    let lacks = compare_wallets::lacking(app).await?;
    let notice = |(currency, money): (Currency, Money)| Notice {
        cause: format!("wallet/{currency}/{money}"),
        view: "balances",
        text: format!(
            "The wallets hold {money} {currency} less than the books say. `checkout wallets` records what you moved."
        ),
    };
    Ok(lacks.into_iter().map(notice).collect())
}

/// All that is due as one mail.
pub(super) fn letter(mail: &Mail, id: Uuid, begun: &[BegunMail]) -> Letter {
    let text = |mail: &BegunMail| match &mail.content {
        Content::Notice(text) => text.clone(),
        Content::Receipt { .. } => String::new(),
    };
    let texts: Vec<String> = begun.iter().map(text).collect();
    let things = if texts.len() == 1 { "1 thing waits" } else { &format!("{} things wait", texts.len()) };
    let item = |text: &String| format!("<li>{}</li>\n", escape(text));
    Letter {
        id,
        to: mail.notices_to.clone(),
        subject: format!("Checkout: {things} for a person"),
        text: texts.join("\n\n"),
        html: format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Checkout</title>\n<ul>\n{}</ul></html>",
            texts.iter().map(item).collect::<String>()
        ),
    }
}
