//! Sends due mails and stores the outcomes. A mail that was taken and not marked is sent again: at least once, never lost.

use checkout_domain::callback::schedule::{self, Next};
use checkout_domain::fail_point;
use checkout_domain::ids::PaymentId;
use checkout_domain::mail::{BegunMail, Content, Mails};
use checkout_domain::ports::Stored;
use checkout_domain::ports::mail::{Letter, NotTaken};
use futures::future::join_all;

use super::{Mail, notices};
use crate::service::App;
use crate::service::payments::checkout_view;
use crate::service::transfers::record_transfers::storable_words;

/// Receipts that are sent at once.
const RECEIPTS: u32 = 8;

/// The most notices of one mail.
const NOTICES: u32 = 100;

/// The lease of an attempt in seconds: longer than the time limit of a mail.
const LEASE: u64 = 120;

/// What is due for so long is sent by no gateway, in seconds.
const FORGOTTEN: u64 = 86_400;

pub async fn run(app: &App) -> Stored<()> {
    if let Some(mail) = &app.mail {
        send_due(app, mail).await?;
    }
    give_up(app).await
}

/// Those that this gateway sends.
async fn send_due(app: &App, mail: &Mail) -> Stored<()> {
    while app.store.are_mails_due(app.clock.now()).await? {
        let mut tx = app.store.begin().await?;
        let now = app.clock.now();
        let lease_end = now.saturating_add(LEASE);
        let receipts = tx.begin_mails(Mails::Receipts, now, lease_end, RECEIPTS).await?;
        let mut letters: Vec<Vec<BegunMail>> = receipts.into_iter().map(|receipt| vec![receipt]).collect();
        for to in &mail.notices_to {
            letters.push(tx.begin_mails(Mails::NoticesTo(to), now, lease_end, NOTICES).await?);
        }
        tx.commit().await?;
        if letters.iter().all(Vec::is_empty) {
            // Another gateway sends them.
            return Ok(());
        }
        let sent = letters.into_iter().map(|letter| send(app, mail, letter));
        join_all(sent).await.into_iter().collect::<Stored<()>>()?;
    }
    Ok(())
}

/// The addresses are not kept for a mail server or a mailbox that may never be named again.
async fn give_up(app: &App) -> Stored<()> {
    let due_since = app.clock.now().saturating_sub(FORGOTTEN);
    if !app.store.are_mails_due(due_since).await? {
        return Ok(());
    }
    let mut tx = app.store.begin().await?;
    tx.give_up_mails(due_since, "not sent: no gateway sends it now").await?;
    tx.commit().await
}

/// Sends mails that are one letter.
async fn send(app: &App, mail: &Mail, begun: Vec<BegunMail>) -> Stored<()> {
    let Some(first) = begun.first() else { return Ok(()) };
    let sent = match letter(app, first, &begun).await {
        Ok(Ok(letter)) => {
            fail_point::reach("mail.before");
            let sent = mail.mailer.send(&letter).await;
            fail_point::reach("mail.after");
            sent.map_err(|error| without(error, &letter.to))
        }
        Ok(Err(why)) => Err(NotTaken { words: why.to_owned(), is_final: true }),
        Err(error) => Err(NotTaken { words: error.to_string(), is_final: false }),
    };
    let now = app.clock.now();
    let words = sent.as_ref().err().map_or("", |error| error.words.as_str());
    let mut tx = app.store.begin().await?;
    for one in &begun {
        let next = match &sent {
            Ok(()) => Next::Delivered,
            Err(NotTaken { is_final: true, .. }) => Next::GivenUp,
            Err(_) => schedule::retry(one.failures, 0, now, u16::from_be_bytes(app.random())),
        };
        tell(app, one, next, words);
        tx.end_mail(one, next, words).await?;
    }
    tx.commit().await
}

fn tell(app: &App, BegunMail { id, .. }: &BegunMail, next: Next, words: &str) {
    let outcome = match next {
        Next::Delivered => "delivered",
        Next::Retry(_) => "failed",
        Next::GivenUp => "given_up",
    };
    app.state.metrics.mail(outcome);
    match next {
        Next::Delivered => tracing::info!(mail = %id, "mail sent"),
        Next::Retry(again_at) => tracing::warn!(mail = %id, words, again_at, "mail not taken"),
        Next::GivenUp => tracing::error!(mail = %id, words, "mail given up"),
    }
}

async fn letter(app: &App, first: &BegunMail, begun: &[BegunMail]) -> Stored<Result<Letter, &'static str>> {
    match &first.content {
        Content::Receipt { payment, to, locale } => receipt(app, first, *payment, to, locale).await,
        Content::Notice { to, .. } => Ok(Ok(notices::letter(to, begun))),
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
        to: to.to_owned(),
        subject: text.subject,
        text: text.text,
        html: text.html,
    }))
}

/// Servers repeat the address, which is erased, or its user alone.
fn without(error: NotTaken, address: &str) -> NotTaken {
    let user = address.rsplit_once('@').map_or(address, |(user, _)| user);
    let name = user.split('+').next().unwrap_or(user);
    let words = [address, user, name].iter().fold(error.words, |words, part| erased(&words, part));
    NotTaken { words: storable_words(&words), ..error }
}

/// Without a part, in whatever letters, that is no part of another word.
fn erased(words: &str, part: &str) -> String {
    let (all, part) = (words.to_ascii_lowercase(), part.to_ascii_lowercase());
    let is_of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let (mut kept, mut rest) = (String::new(), words);
    for (at, found) in all.match_indices(&part).filter(|(_, found)| !found.is_empty()) {
        let (before, behind) = (&words[..at], &words[at + found.len()..]);
        if !is_of_word(before.chars().next_back()) && !is_of_word(behind.chars().next()) {
            kept.push_str(&rest[..at - (words.len() - rest.len())]);
            kept.push('…');
            rest = behind;
        }
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_kept_without_the_address() {
        let check = |words: &str, expected: &str| {
            let error = NotTaken { words: words.to_owned(), is_final: true };
            assert_eq!(without(error, "anna+tea@shop.example").words, expected);
        };
        check("550 5.1.1 <anna+tea@shop.example>: unknown", "550 5.1.1 <…>: unknown");
        check("550 anna+tea@OTHER.example unknown", "550 …@OTHER.example unknown");
        check("550 Anna+Tea@Shop.Example unknown", "550 … unknown");
        check("550 ANNA: user unknown", "550 …: user unknown");
        check("550 Hannah is not <anna>", "550 Hannah is not <…>");
        check("550 a\0b", "550 a\\u{0}b");
        check("421 busy", "421 busy");
        check("550 +++ ü anna", "550 +++ ü …");
    }
}
