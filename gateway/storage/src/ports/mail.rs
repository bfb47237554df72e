//! The port of mails.

use async_trait::async_trait;
use checkout_domain::callback::schedule::Next;
use checkout_domain::ids::PaymentId;
use checkout_domain::mail::{BegunMail, Content, MailBacklog, MailState, Mails, NewMail};
use checkout_domain::ports::Stored;
use checkout_domain::ports::mail::{MailStore, MailTx};

use crate::changes::tx::SqlTx;
use crate::statements::row::{Row, bad};
use crate::{Database, locked, query};

#[async_trait]
impl MailStore for Database {
    async fn are_mails_due(&self, now: u64) -> Stored<bool> {
        let due = query("SELECT id FROM mails WHERE state = 'PENDING' AND due_at <= $1 LIMIT 1").bind(now);
        Ok(due.read_first(&self.readers, |_| Ok(())).await?.is_some())
    }

    async fn mail_backlog(&self, now: u64) -> Stored<MailBacklog> {
        let row = query(
            "SELECT (SELECT COUNT(*) FROM mails WHERE state = 'PENDING') AS pending,
                    (SELECT COUNT(*) FROM mails WHERE state = 'GIVEN_UP') AS given_up,
                    (SELECT MIN(due_at) FROM mails WHERE state = 'PENDING' AND due_at <= $1) AS due_since",
        )
        .bind(now)
        .fetch_one(&self.readers)
        .await?;
        Ok(MailBacklog {
            pending: row.number("pending")?,
            given_up: row.number("given_up")?,
            due_since: row.optional_number("due_since")?,
        })
    }
}

#[async_trait]
impl MailTx for SqlTx {
    async fn put_mail(&mut self, mail: &NewMail) -> Stored<bool> {
        let (payment, to, locale, notice) = match &mail.content {
            Content::Receipt { payment, to, locale } => (Some(*payment), Some(to), Some(locale), None),
            Content::Notice { to, text } => (None, Some(to), None, Some(text)),
        };
        query(
            "INSERT INTO mails (id, cause, payment, recipient, locale, notice, state, failures, due_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'PENDING', 0, $7, $7)
             ON CONFLICT (cause) DO UPDATE SET state = excluded.state, failures = 0, due_at = excluded.due_at,
                 recipient = excluded.recipient, locale = excluded.locale, words = NULL
             WHERE mails.state = 'GIVEN_UP' AND mails.notice IS NULL",
        )
        .bind(mail.id)
        .bind(&mail.cause)
        .bind(payment)
        .bind(to)
        .bind(locale)
        .bind(notice)
        .bind(mail.created_at)
        .changed(self.now().await?)
        .await
    }

    async fn count_receipts(&mut self, payment: PaymentId) -> Stored<u64> {
        let count =
            query("SELECT COUNT(*) AS receipts FROM mails WHERE payment = $1 AND state <> 'GIVEN_UP'");
        let count = count.bind(payment);
        count.fetch_one(self.now().await?).await?.number("receipts")
    }

    async fn begin_mails(
        &mut self,
        mails: Mails<'_>,
        now: u64,
        lease_end: u64,
        limit: u32,
    ) -> Stored<Vec<BegunMail>> {
        let notices_to = match mails {
            Mails::Receipts => "",
            Mails::NoticesTo(to) => to,
        };
        let statement = locked!(
            "UPDATE mails SET due_at = $2
             WHERE id IN (SELECT id FROM mails
                          WHERE state = 'PENDING' AND due_at <= $1 AND CASE WHEN notice IS NULL THEN '' ELSE recipient END = $4
                          ORDER BY due_at, id LIMIT $3",
            "FOR NO KEY UPDATE SKIP LOCKED",
            ") RETURNING *"
        );
        let rows = query(statement).bind(now).bind(lease_end).bind(limit).bind(notices_to);
        let mut begun: Vec<BegunMail> = rows.read_all(self.now().await?, read).await?;
        begun.sort_by_key(|mail| mail.id);
        Ok(begun)
    }

    async fn end_mail(&mut self, mail: &BegunMail, next: Next, words: &str) -> Stored<()> {
        let (state, due_at) = match next {
            Next::Delivered => (MailState::Delivered, None),
            Next::Retry(at) => (MailState::Pending, Some(at)),
            Next::GivenUp => (MailState::GivenUp, None),
        };
        query(
            "UPDATE mails SET state = $2, due_at = $3, words = $4,
                 failures = CASE WHEN $2 = 'DELIVERED' THEN failures ELSE failures + 1 END,
                 recipient = CASE WHEN $2 = 'PENDING' THEN recipient END
             WHERE id = $1 AND (state = 'PENDING' AND due_at = $5 OR $2 = 'DELIVERED')",
        )
        .bind(mail.id)
        .bind(state.as_str())
        .bind(due_at)
        .bind(words)
        .bind(mail.lease_end)
        .run(self.now().await?)
        .await
    }

    async fn give_up_mails(&mut self, due_since: u64, words: &str) -> Stored<()> {
        query(
            "UPDATE mails SET state = 'GIVEN_UP', due_at = NULL, recipient = NULL, words = $2
             WHERE state = 'PENDING' AND due_at <= $1",
        )
        .bind(due_since)
        .bind(words)
        .run(self.now().await?)
        .await
    }
}

fn read(row: &Row) -> Stored<BegunMail> {
    let to = row.text("recipient")?;
    let content = match row.optional_text("notice")? {
        Some(text) => Content::Notice { to, text },
        None => Content::Receipt { payment: row.parsed("payment")?, to, locale: row.text("locale")? },
    };
    Ok(BegunMail {
        id: row.parsed("id")?,
        content,
        failures: row.number("failures")?,
        lease_end: row.optional_number("due_at")?.ok_or_else(|| bad("due_at"))?,
    })
}
