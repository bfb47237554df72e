//! Sends due mails and stores the outcomes. A mail that was taken and not marked is sent again: at least once, never lost.

use checkout_domain::callback::schedule::{self, Next};
use checkout_domain::fail_point;
use checkout_domain::ids::PaymentId;
use checkout_domain::mail::{BegunMail, Content, MailKind};
use checkout_domain::ports::Stored;
use checkout_domain::ports::mail::{Letter, NotTaken};
use futures::future::join_all;

use super::{Mail, notices};
use crate::service::App;
use crate::service::payments::checkout_view;

/// Receipts that are sent at once.
const RECEIPTS: u32 = 8;

/// The most notices of one mail.
const NOTICES: u32 = 100;

/// The lease of an attempt in seconds: longer than the time limit of a mail.
const LEASE: u64 = 120;

/// The most that is kept of what a server says, in characters.
const LONGEST: usize = 300;

pub async fn run(app: &App) -> Stored<()> {
    let Some(mail) = &app.mail else { return Ok(()) };
    while app.store.are_mails_due(app.clock.now()).await? {
        let mut tx = app.store.begin().await?;
        let now = app.clock.now();
        let lease_end = now.saturating_add(LEASE);
        let receipts = tx.begin_mails(MailKind::Receipt, now, lease_end, RECEIPTS).await?;
        let notices = tx.begin_mails(MailKind::Notice, now, lease_end, NOTICES).await?;
        tx.commit().await?;
        if receipts.is_empty() && notices.is_empty() {
            // Another gateway sends them.
            return Ok(());
        }
        let letters = receipts.into_iter().map(|receipt| vec![receipt]).chain([notices]);
        join_all(letters.map(|letter| send(app, mail, letter))).await.into_iter().collect::<Stored<()>>()?;
    }
    Ok(())
}

/// Sends mails that are one letter.
async fn send(app: &App, mail: &Mail, begun: Vec<BegunMail>) -> Stored<()> {
    let Some(first) = begun.first() else { return Ok(()) };
    let sent = match letter(app, mail, first, &begun).await? {
        Ok(letter) => {
            fail_point::reach("mail.before");
            let sent = mail.mailer.send(&letter).await;
            fail_point::reach("mail.after");
            sent.map_err(|error| without(error, &letter.to))
        }
        Err(why) => Err(NotTaken { words: why.to_owned(), is_final: true }),
    };
    let now = app.clock.now();
    let next = match &sent {
        Ok(()) => Next::Delivered,
        Err(NotTaken { is_final: true, .. }) => Next::GivenUp,
        Err(_) => schedule::retry(first.failures, 0, now, u16::from_be_bytes(app.random())),
    };
    let words = sent.as_ref().err().map_or("", |error| error.words.as_str());
    app.state.metrics.mail(match next {
        Next::Delivered => "delivered",
        Next::Retry(_) => "failed",
        Next::GivenUp => "given_up",
    });
    match next {
        Next::Delivered => tracing::info!(mail = %first.id, mails = begun.len(), "mail sent"),
        Next::Retry(at) => {
            tracing::warn!(mail = %first.id, words, again_in = at.saturating_sub(now), "mail not taken");
        }
        Next::GivenUp => tracing::error!(mail = %first.id, words, "mail given up"),
    }
    let mut tx = app.store.begin().await?;
    for one in &begun {
        tx.end_mail(one, next, words).await?;
    }
    tx.commit().await
}

async fn letter(
    app: &App,
    mail: &Mail,
    first: &BegunMail,
    begun: &[BegunMail],
) -> Stored<Result<Letter, &'static str>> {
    match &first.content {
        Content::Receipt { payment, to, locale } => receipt(app, first, *payment, to, locale).await,
        Content::Notice(_) if mail.notices_to.is_empty() => Ok(Err("not sent: nobody gets notices")),
        Content::Notice(_) => Ok(Ok(notices::letter(mail, first.id, begun))),
    }
}

async fn receipt(
    app: &App,
    mail: &BegunMail,
    payment: PaymentId,
    to: &str,
    locale: &str,
) -> Stored<Result<Letter, &'static str>> {
    const NOT_PAID: &str = "not sent: the payment is not paid";
    let Some(record) = app.store.payment(payment).await? else { return Ok(Err(NOT_PAID)) };
    let Some(view) = checkout_view::view(app, &record).await? else { return Ok(Err(NOT_PAID)) };
    let text = app.page.receipt(Box::new(view), locale, app.clock.now_millis());
    Ok(text.ok_or(NOT_PAID).map(|text| Letter {
        id: mail.id,
        to: vec![to.to_owned()],
        subject: text.subject,
        text: text.text,
        html: text.html,
    }))
}

/// Servers repeat the address, which is erased.
fn without(error: NotTaken, addresses: &[String]) -> NotTaken {
    let words = addresses.iter().fold(error.words, |words, address| {
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        let user = address.strip_suffix(domain).unwrap_or(address);
        // The server may write the domain otherwise.
        words.replace(address, "…").replace(user, "…@")
    });
    NotTaken { words: words.chars().take(LONGEST).collect(), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_kept_without_the_address() {
        let check = |words: &str, expected: &str| {
            let error = NotTaken { words: words.to_owned(), is_final: true };
            assert_eq!(without(error, &["anna@shop.example".to_owned()]).words, expected);
        };
        check("550 5.1.1 <anna@shop.example>: unknown", "550 5.1.1 <…>: unknown");
        check("550 anna@SHOP.example unknown", "550 …@SHOP.example unknown");
        check("421 busy", "421 busy");
        check(&"x".repeat(1_000), &"x".repeat(LONGEST));
    }
}
