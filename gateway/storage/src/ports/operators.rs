//! The port of operators, their sessions and the audit log.

use async_trait::async_trait;
use checkout_domain::access::audit::AuditRecord;
use checkout_domain::access::operator::{DeskSession, Name, Operator, Secrets};
use checkout_domain::access::token::TokenHash;
use checkout_domain::page::{Page, Period};
use checkout_domain::ports::Stored;
use checkout_domain::ports::operators::{OperatorStore, OperatorTx};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::secrets::seal::{Keyring, SecretKind};
use crate::statements::columns::columns;
use crate::statements::conditions::Conditions;
use crate::statements::row::Row;
use crate::{Database, query};

columns! {
    "operators": operator: Operator, from row;
    fields {
        Key id = operator.id => parsed;
        Once name = operator.name.as_str() => parsed;
        Changes role = operator.role.as_str() => parsed;
        Changes business = operator.business => optional_parsed;
        Changes is_disabled as "disabled" = operator.is_disabled => flag;
        Once created_at = operator.created_at => number;
    }
}

mod log {
    use super::{AuditRecord, columns};

    columns! {
        "audit_log": entry: AuditRecord, from row;
        fields {
            Key id = entry.id => parsed;
            Once at = entry.at => number;
            Once operator = &entry.operator => text;
            Once client = &entry.client => text;
            Once action = &entry.action => text;
            Once target = &entry.target => text;
            Once detail = &entry.detail => text;
            Once outcome = &entry.outcome => text;
        }
    }

    pub(crate) fn insert(entry: &AuditRecord) -> crate::Query {
        COLUMNS.insert([], entry, String::new)
    }
}

#[async_trait]
impl OperatorTx for SqlTx {
    async fn add_operator(&mut self, operator: &Operator) -> Stored<bool> {
        let insert = COLUMNS.insert([], operator, || "ON CONFLICT (name) DO NOTHING".to_owned());
        Ok(insert.execute(self.now().await?).await? == 1)
    }

    async fn change_operator(&mut self, operator: &Operator) -> Stored<()> {
        COLUMNS.update(std::iter::once(operator)).execute(self.now().await?).await?;
        end_sessions(self, operator.id).await
    }

    async fn put_secrets(&mut self, operator: Uuid, secrets: &Secrets) -> Stored<()> {
        let id = operator.to_string();
        let totp = self.keys().seal(&SecretKind::totp(&id), &secrets.totp)?;
        query("UPDATE operators SET password = $2, totp = $3, used_step = NULL WHERE id = $1")
            .bind(&id)
            .bind(&secrets.password)
            .bind(totp)
            .execute(self.now().await?)
            .await?;
        end_sessions(self, operator).await
    }

    async fn use_code(&mut self, operator: Uuid, step: u64) -> Stored<bool> {
        let used = query(
            "UPDATE operators SET used_step = $2 WHERE id = $1 AND (used_step IS NULL OR used_step < $2)",
        )
        .bind(operator)
        .bind(step)
        .execute(self.now().await?)
        .await?;
        Ok(used == 1)
    }

    async fn put_desk_session(
        &mut self,
        token: &TokenHash,
        operator: Uuid,
        now: u64,
        before: u64,
    ) -> Stored<()> {
        query("DELETE FROM desk_sessions WHERE seen_at < $1").bind(before).execute(self.now().await?).await?;
        query("INSERT INTO desk_sessions (token_hash, operator, created_at, seen_at) VALUES ($1, $2, $3, $3)")
            .bind(token.as_str())
            .bind(operator)
            .bind(now)
            .run(self.now().await?)
            .await
    }

    async fn note_desk_session(&mut self, token: &TokenHash, now: u64) -> Stored<()> {
        query("UPDATE desk_sessions SET seen_at = $2 WHERE token_hash = $1 AND seen_at < $2")
            .bind(token.as_str())
            .bind(now)
            .run(self.now().await?)
            .await
    }

    async fn end_desk_session(&mut self, token: &TokenHash) -> Stored<()> {
        query("DELETE FROM desk_sessions WHERE token_hash = $1")
            .bind(token.as_str())
            .run(self.now().await?)
            .await
    }

    async fn append_audit(&mut self, entry: &AuditRecord) -> Stored<()> {
        log::insert(entry).run(self.now().await?).await
    }
}

async fn end_sessions(tx: &mut SqlTx, operator: Uuid) -> Stored<()> {
    query("DELETE FROM desk_sessions WHERE operator = $1").bind(operator).run(tx.now().await?).await
}

fn secrets(row: &Row, keys: &Keyring) -> Stored<Option<Secrets>> {
    let (Some(password), Some(totp)) = (row.optional_text("password")?, row.optional_text("totp")?) else {
        return Ok(None);
    };
    let totp = keys.open(&SecretKind::totp(&row.text("id")?), totp)?;
    Ok(Some(Secrets { password, totp }))
}

#[async_trait]
impl OperatorStore for Database {
    async fn operators(&self) -> Stored<Vec<Operator>> {
        query("SELECT * FROM operators ORDER BY name").read_all(&self.readers, read).await
    }

    async fn operator(&self, name: &Name) -> Stored<Option<(Operator, Option<Secrets>)>> {
        query("SELECT * FROM operators WHERE name = $1")
            .bind(name.as_str())
            .read_first(&self.readers, |row| Ok((read(row)?, secrets(row, &self.keys)?)))
            .await
    }

    async fn desk_session(&self, token: &TokenHash) -> Stored<Option<(Operator, DeskSession)>> {
        query(
            "SELECT operators.*, desk_sessions.created_at AS began_at, seen_at
             FROM desk_sessions JOIN operators ON operators.id = desk_sessions.operator
             WHERE token_hash = $1 AND disabled = 0",
        )
        .bind(token.as_str())
        .read_first(&self.readers, |row| {
            let session =
                DeskSession { created_at: row.number("began_at")?, seen_at: row.number("seen_at")? };
            Ok((read(row)?, session))
        })
        .await
    }

    async fn audit(&self, page: &Page) -> Stored<Vec<AuditRecord>> {
        let mut conditions = Conditions::default();
        let end = conditions.page("id", &Period::default(), page);
        let text = format!("SELECT * FROM audit_log WHERE {} ORDER BY id {end}", conditions.text());
        Ok(page.in_order(conditions.statement(text).read_all(&self.readers, log::read).await?))
    }
}
