//! The port of the limits of withdrawals.

use async_trait::async_trait;
use checkout_core::{Decimal, Pair};
use checkout_domain::access::actor::Actor;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::payment::refund_said::Given;
use checkout_domain::ports::Stored;
use checkout_domain::ports::withdrawal_rules::{WithdrawalRuleStore, WithdrawalRuleTx, Withdrawn};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::looser::{Limit, Limits, Looser};
use checkout_domain::withdrawal::rules::{Approval, Rules};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::conditions::first_id_of;
use crate::statements::locks;
use crate::statements::row::Row;
use crate::{Database, On, query, rows};

/// Seconds after which an address on the whitelist counts, so that the token that adds one cannot pay it at once.
const WHITELISTED_AFTER: u64 = 86_400;

/// One statement: what is asked for and what holds change together.
async fn find<'a>(on: impl Into<On<'a>>, business: BusinessId) -> Stored<Limits> {
    let rows: Vec<(Rules, Option<Looser>)> = query(
        "SELECT daily_limit, approval_above, whitelist_only, claim_limit, maximum_network_fee,
             name, value, asked_by, asked_at
         FROM withdrawal_rules LEFT JOIN looser_limits ON looser_limits.business = withdrawal_rules.business
         WHERE withdrawal_rules.business = $1 ORDER BY name",
    )
    .bind(business)
    .read_all(on, |row| Ok((read(row)?, looser(row)?)))
    .await?;
    let rules = rows.first().map(|(rules, _)| *rules).unwrap_or_default();
    Ok(Limits { rules, looser: rows.into_iter().filter_map(|(_, looser)| looser).collect() })
}

fn looser(row: &Row) -> Stored<Option<Looser>> {
    if row.optional_text("name")?.is_none() {
        return Ok(None);
    }
    Ok(Some(Looser {
        limit: row.word("name", Limit::known)?,
        value: row.optional_decimal("value")?,
        by: row.parsed("asked_by")?,
        at: row.number("asked_at")?,
    }))
}

fn read(row: &Row) -> Stored<Rules> {
    Ok(Rules {
        daily_limit: row.optional_decimal("daily_limit")?,
        approval_above: row.optional_decimal("approval_above")?,
        whitelist_only: row.flag("whitelist_only")?,
        claim_limit: row.optional_decimal("claim_limit")?,
        maximum_network_fee: row.optional_decimal("maximum_network_fee")?,
    })
}

#[async_trait]
impl WithdrawalRuleStore for Database {
    async fn limits(&self, business: BusinessId) -> Stored<Limits> {
        find(&self.readers, business).await
    }

    async fn approval(&self, withdrawal: Uuid) -> Stored<Option<Approval>> {
        query("SELECT approval FROM withdrawals WHERE id = $1 AND approval IS NOT NULL")
            .bind(withdrawal)
            .read_first(&self.readers, |row| row.word("approval", Approval::known))
            .await
    }

    async fn unapproved(&self) -> Stored<Vec<Withdrawal>> {
        rows::withdrawal::unapproved(&self.readers).await
    }
}

/// A payment is locked before its payouts.
async fn hold_refunded(tx: &mut SqlTx, withdrawal: Uuid) -> Stored<()> {
    let refunded = query("SELECT payment FROM withdrawals WHERE id = $1 AND payment IS NOT NULL");
    let Some(row) = refunded.bind(withdrawal).fetch_optional(tx.now().await?).await? else { return Ok(()) };
    locks::hold_payments(tx.now().await?, &[row.parsed("payment")?]).await
}

#[async_trait]
impl WithdrawalRuleTx for SqlTx {
    async fn limits(&mut self, business: BusinessId) -> Stored<Limits> {
        find(self.now().await?, business).await
    }

    async fn put_limits(&mut self, business: BusinessId, limits: &Limits) -> Stored<()> {
        let Limits { rules, looser } = limits;
        query(
            "INSERT INTO withdrawal_rules (business, daily_limit, approval_above, whitelist_only, claim_limit,
                 maximum_network_fee)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (business) DO UPDATE SET daily_limit = excluded.daily_limit,
                 approval_above = excluded.approval_above, whitelist_only = excluded.whitelist_only,
                 claim_limit = excluded.claim_limit, maximum_network_fee = excluded.maximum_network_fee",
        )
        .bind(business)
        .bind(rules.daily_limit.map(|limit| limit.to_string()))
        .bind(rules.approval_above.map(|limit| limit.to_string()))
        .bind(rules.whitelist_only)
        .bind(rules.claim_limit.map(|limit| limit.to_string()))
        .bind(rules.maximum_network_fee.map(|limit| limit.to_string()))
        .run(self.now().await?)
        .await?;
        let dropped = query("DELETE FROM looser_limits WHERE business = $1").bind(business);
        dropped.run(self.now().await?).await?;
        for Looser { limit, value, by, at } in looser {
            query("INSERT INTO looser_limits (business, name, value, asked_by, asked_at) VALUES ($1, $2, $3, $4, $5)")
                .bind(business)
                .bind(limit.as_str())
                .bind(value.map(|value| value.to_string()))
                .bind(by.to_string())
                .bind(*at)
                .run(self.now().await?)
                .await?;
        }
        Ok(())
    }

    async fn withdrawn_since(&mut self, business: BusinessId, since: u64) -> Stored<Withdrawn> {
        // Ids are in the order of time.
        let rows = query(
            "SELECT uniform_amount FROM withdrawals
             WHERE id IN (SELECT withdrawals.id FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id
                          WHERE withdrawals.business = $1 AND withdrawals.id >= $2 AND created_at > $3
                          UNION SELECT id FROM withdrawals WHERE business = $1 AND counts_from > $3)
                 AND status NOT IN ('FAILED', 'BLOCKED')
                 AND (approval = 'APPROVED'
                      OR NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.id = withdrawals.id AND asked_at IS NOT NULL))",
        )
        .bind(business)
        .bind(first_id_of(since))
        .bind(since)
        .fetch_all(self.now().await?)
        .await?;
        let (mut eur, mut unvalued) = (Decimal::ZERO, Vec::new());
        for row in rows {
            eur = eur.saturating_add(row.decimal("uniform_amount")?);
        }
        // Refunds to an address that was given: the token that gives one could keep the money.
        let rows = query(
            "SELECT deposits.currency, deposits.network, COALESCE(settlements.deposit_price, '0') AS price, refunds.gross
             FROM refunds JOIN deposits ON deposits.id = refunds.id
                 LEFT JOIN settlements ON settlements.deposit = deposits.id
             WHERE refunds.business = $1 AND decided_at > $2 AND decided_address IS NOT NULL AND status IS NOT NULL
                 AND (decided_address <> from_address OR COALESCE(decided_tag, '') <> COALESCE(from_tag, ''))",
        )
        .bind(business)
        .bind(since)
        .fetch_all(self.now().await?)
        .await?;
        for row in rows {
            let rate = row.decimal("price")?;
            let money = Money::of_amount(row.atoms("gross")?, rows::payout::pair(&row)?);
            if let Some(money) = money.filter(|_| rate.is_zero()) {
                unvalued.push(money);
                continue;
            }
            let value =
                money.and_then(|money| money.convert(Asset::Fiat(Fiat::EUR), rate, Decimal::ONE, Round::Up));
            eur = eur.saturating_add(value.map_or(Decimal::MAX, Money::to_decimal));
        }
        Ok(Withdrawn { eur, unvalued })
    }

    async fn is_whitelisted(
        &mut self,
        business: BusinessId,
        pair: &Pair,
        to: &Given,
        now: u64,
    ) -> Stored<bool> {
        query(
            "SELECT id FROM whitelisted_addresses
             WHERE business = $1 AND currency = $2 AND network = $3 AND address = $4 AND COALESCE(tag, '') = $5
                 AND created_at <= $6
             LIMIT 1",
        )
        .bind(business)
        .bind(pair.currency.code())
        .bind(pair.network.code())
        .bind(&to.address)
        .bind(to.tag.clone().unwrap_or_default())
        .bind(now.saturating_sub(WHITELISTED_AFTER))
        .finds(self.now().await?)
        .await
    }

    async fn require_approval(&mut self, withdrawal: Uuid) -> Stored<()> {
        query(
            "UPDATE withdrawals SET approval = 'WAITING', approved_address = NULL, approved_tag = NULL, approved_amount = NULL
             WHERE id = $1 AND COALESCE(approval, '') <> 'REJECTED' AND EXISTS (
                 SELECT 1 FROM payouts WHERE payouts.id = withdrawals.id AND state IN ('UNADDRESSED', 'WAITING')
             )",
        )
        .bind(withdrawal)
        .run(self.now().await?)
        .await?;
        rows::refund::follow_charge(self.now().await?, withdrawal).await
    }

    async fn put_initiator(&mut self, refund: Uuid, initiator: &Actor) -> Stored<()> {
        let statement = query("UPDATE withdrawals SET initiator = $2 WHERE id = $1");
        statement.bind(refund).bind(initiator.to_string()).run(self.now().await?).await
    }

    async fn approve(&mut self, withdrawal: Uuid, approved: &Approved, now: u64) -> Stored<bool> {
        hold_refunded(self, withdrawal).await?;
        locks::hold_payout(self.now().await?, withdrawal).await?;
        let done = query(
            "UPDATE withdrawals SET approval = 'APPROVED', screened_at = NULL, approved_address = $2, approved_tag = $3, approved_amount = $4,
                 counts_from = CASE WHEN EXISTS (SELECT 1 FROM refunds WHERE refunds.id = $1 AND asked_at IS NOT NULL)
                     THEN $5 ELSE counts_from END
             WHERE id = $1 AND approval = 'WAITING' AND EXISTS (
                 SELECT 1 FROM payouts WHERE payouts.id = withdrawals.id AND state = 'WAITING'
                     AND to_address = $2 AND COALESCE(tag, '') = COALESCE($3, '') AND amount = $4
             )",
        )
        .bind(withdrawal)
        .bind(&approved.address)
        .bind(&approved.tag)
        .bind(approved.amount.atoms().to_string())
        .bind(now)
        .changed(self.now().await?)
        .await?;
        rows::refund::follow_charge(self.now().await?, withdrawal).await?;
        Ok(done)
    }

    async fn reject(&mut self, withdrawal: Uuid) -> Stored<bool> {
        hold_refunded(self, withdrawal).await?;
        let done = query(
            "UPDATE withdrawals SET approval = 'REJECTED' WHERE id = $1 AND approval = 'WAITING'
                 AND EXISTS (SELECT 1 FROM payouts WHERE payouts.id = withdrawals.id AND state = 'WAITING')",
        )
        .bind(withdrawal)
        .changed(self.now().await?)
        .await?;
        rows::refund::follow_charge(self.now().await?, withdrawal).await?;
        Ok(done)
    }

    async fn cancel_withdrawal(&mut self, withdrawal: Uuid) -> Stored<bool> {
        locks::hold_payout(self.now().await?, withdrawal).await?;
        // A held payout may have been sent.
        query(
            "UPDATE withdrawals SET approval = 'REJECTED'
             WHERE id = $1 AND payment IS NULL AND COALESCE(approval, '') <> 'REJECTED' AND EXISTS (
                 SELECT 1 FROM payouts
                 WHERE payouts.id = withdrawals.id AND state = 'WAITING'
                     AND COALESCE(hold, 'CLEARED') IN ('CLEARED', 'RELEASED')
             )",
        )
        .bind(withdrawal)
        .changed(self.now().await?)
        .await
    }
}
