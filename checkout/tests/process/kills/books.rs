//! The final contents of the database: the chain, and what the gateway recorded of it.

use std::collections::{BTreeMap, BTreeSet};

use checkout_test_postgres::sql;
use serde_json::Value;
use sqlx::{Connection as _, Row as _, SqliteConnection};

use super::Figures;
use super::events;
use super::merchant::Merchant;
use super::operator::Operator;
use checkout_test_nodes::Inbox;

pub(crate) type Rows = Vec<Vec<String>>;

pub(super) struct Books {
    /// Transaction, address, amount, whether it is in a block.
    transfers: Rows,
    addresses: Rows,
    /// Id, the merchant's id, status.
    pub(super) payments: Rows,
    /// Id, transaction, amount, state, screening.
    pub(super) deposits: Rows,
    /// Transaction, kind, state.
    payouts: Rows,
    pub(super) withdrawals: Rows,
    /// Id, merchant's id, status, state of the payout.
    merchant_refunds: Rows,
    entries: Rows,
    /// Cause, asset, account, units.
    lines: Rows,
    /// Asset, account, balance.
    balances: Rows,
    /// Id, kind, subject, state.
    callbacks: Rows,
}

impl Books {
    pub(super) fn read(database: &str) -> Self {
        let rows = |question| read(database, question);
        Self {
            transfers: rows(
                "SELECT transaction_id, address, amount, CAST(height IS NOT NULL AS INTEGER) FROM sim_transfers",
            ),
            addresses: rows("SELECT address FROM addresses"),
            payments: rows("SELECT id, client_payment_id, status FROM payments"),
            deposits: rows("SELECT id, transaction_id, amount, state, screening FROM deposits"),
            payouts: rows("SELECT COALESCE(transaction_id, ''), kind, state FROM payouts"),
            withdrawals: rows(
                "SELECT id, client_withdrawal_id, status FROM withdrawals WHERE payment IS NULL",
            ),
            merchant_refunds: rows(
                "SELECT withdrawals.id, client_withdrawal_id, status, state FROM withdrawals
                 JOIN payouts ON payouts.id = withdrawals.id WHERE payment IS NOT NULL",
            ),
            entries: rows("SELECT cause FROM ledger_entries"),
            lines: rows("SELECT cause, asset, account, units FROM ledger_lines"),
            balances: rows("SELECT asset, account, balance FROM ledger_balances"),
            callbacks: rows("SELECT id, kind, subject, state FROM callbacks"),
        }
    }

    pub(super) fn check(
        &self,
        merchant: &Merchant,
        operator: &Operator,
        inbox: &Inbox,
        figures: &mut Figures,
    ) {
        self.check_payments(merchant, figures);
        self.check_deposits(merchant, figures);
        self.check_decisions(operator, figures);
        self.check_payouts(merchant, figures);
        merchant.refunds.check(&self.merchant_refunds, &self.entries, figures);
        self.check_ledger(figures);
        self.check_callbacks(inbox, figures);
        figures.events += events::check(self, inbox);
    }

    fn check_payments(&self, merchant: &Merchant, figures: &mut Figures) {
        let stored: BTreeMap<String, String> =
            self.payments.iter().map(|row| (row[1].clone(), row[0].clone())).collect();
        assert_eq!(stored.len(), self.payments.len(), "each order has one payment");
        assert_eq!(stored, merchant.payments, "exactly the acknowledged payments are stored");
        figures.payments += stored.len() as u64;
    }

    /// Checks that every transfer to one of the gateway's addresses is one confirmed deposit.
    fn check_deposits(&self, merchant: &Merchant, figures: &mut Figures) {
        let ours: BTreeSet<&str> = self.addresses.iter().map(|row| row[0].as_str()).collect();
        let came = self.transfers.iter().filter(|row| ours.contains(row[1].as_str()));
        let came: BTreeSet<(&str, &str)> = came.map(|row| (row[0].as_str(), row[2].as_str())).collect();
        let have: BTreeSet<(&str, &str)> =
            self.deposits.iter().map(|row| (row[1].as_str(), row[2].as_str())).collect();
        assert_eq!(have, came, "each transfer is one deposit");
        assert_eq!(have.len(), self.deposits.len(), "and once");
        assert!(self.deposits.iter().all(|row| row[3] == "CONFIRMED"), "{:?}", self.deposits);
        for transfer in &merchant.transfers {
            assert!(came.iter().any(|(id, _)| id == transfer), "{transfer} was acknowledged but is missing");
        }
        figures.deposits += have.len() as u64;
    }

    /// Checks that each decision was applied once and permanently, and that refused deposits, and only those, are held.
    fn check_decisions(&self, operator: &Operator, figures: &mut Figures) {
        let mut have = BTreeMap::new();
        let mut refused: i128 = 0;
        for row in &self.deposits {
            match row[4].as_str() {
                "PASSED" => continue,
                "RELEASED" => {}
                "REFUSED" => refused += row[2].parse::<i128>().unwrap(),
                other => panic!("{} is {other}", row[0]),
            }
            have.insert(row[0].clone(), row[4] == "RELEASED");
        }
        assert_eq!(have, operator.decisions, "each decision was applied");
        let held =
            self.balances.iter().filter(|row| row[1] == "HELD").map(|row| row[2].parse::<i128>().unwrap());
        assert_eq!(held.sum::<i128>(), refused, "the held balance is the sum of refused deposits");
        let released = have.values().filter(|released| **released).count() as u64;
        figures.released += released;
        figures.refused += have.len() as u64 - released;
        figures.operators += operator.killed;
    }

    /// Checks that each acknowledged withdrawal is completed, and that each payout is on the chain once.
    fn check_payouts(&self, merchant: &Merchant, figures: &mut Figures) {
        let stored: BTreeMap<String, String> =
            self.withdrawals.iter().map(|row| (row[1].clone(), row[0].clone())).collect();
        assert_eq!(stored, merchant.withdrawals, "exactly the acknowledged withdrawals are stored");
        assert!(self.withdrawals.iter().all(|row| row[2] == "COMPLETED"), "{:?}", self.withdrawals);
        let ours: BTreeSet<&str> = self.addresses.iter().map(|row| row[0].as_str()).collect();
        let went = self.transfers.iter().filter(|row| !ours.contains(row[1].as_str()));
        let mut went: Vec<&str> = went.map(|row| row[0].as_str()).collect();
        // A claim that the merchant refused is never signed; `refunds.rs` checks that it is one.
        let is_refused =
            |row: &[String]| row[0].is_empty() && row[1] == "MERCHANT_REFUND" && row[2] == "FAILED";
        let live: Vec<&Vec<String>> =
            self.payouts.iter().filter(|row| row[2] != "CANCELLED" && !is_refused(row)).collect();
        let mut sent: Vec<&str> = live.iter().map(|row| row[0].as_str()).collect();
        went.sort_unstable();
        sent.sort_unstable();
        assert_eq!(sent, went, "each payout was sent once");
        let done = |row: &&Vec<String>| ["SENT", "CONFIRMED", "FINAL"].contains(&row[2].as_str());
        assert!(live.iter().all(done), "{live:?}");
        let refunds = live.iter().filter(|row| row[1] == "REFUND").count();
        assert_eq!(live.iter().filter(|row| row[1] == "WITHDRAWAL").count(), stored.len());
        figures.refunds += refunds as u64;
        figures.withdrawals += stored.len() as u64;
    }

    fn check_ledger(&self, figures: &mut Figures) {
        let mut by_entry: BTreeMap<(&str, &str), i128> = BTreeMap::new();
        let mut by_account: BTreeMap<(&str, &str), i128> = BTreeMap::new();
        for row in &self.lines {
            let units: i128 = row[3].parse().unwrap();
            *by_entry.entry((&row[0], &row[1])).or_default() += units;
            *by_account.entry((&row[1], &row[2])).or_default() += units;
        }
        assert!(by_entry.values().all(|sum| *sum == 0), "every entry adds up to zero");
        let mut balances: BTreeMap<(&str, &str), i128> = self
            .balances
            .iter()
            .map(|row| ((row[0].as_str(), row[1].as_str()), row[2].parse().unwrap()))
            .collect();
        balances.retain(|_, units| *units != 0);
        by_account.retain(|_, units| *units != 0);
        assert_eq!(balances, by_account, "balances are the sums of their lines");
        let mut booked: BTreeMap<&str, i64> = BTreeMap::new();
        let mut withdrawn: BTreeSet<&str> = BTreeSet::new();
        for cause in self.entries.iter().map(|row| row[0].as_str()) {
            match cause.split('/').collect::<Vec<_>>().as_slice() {
                ["deposit", id, _] => *booked.entry(id).or_default() += 1,
                ["deposit", id, _, "reversed"] => *booked.entry(id).or_default() -= 1,
                ["withdrawal", id] => assert!(withdrawn.insert(id)),
                _ => {}
            }
        }
        let deposits: BTreeMap<&str, i64> = self.deposits.iter().map(|row| (row[0].as_str(), 1)).collect();
        assert_eq!(booked, deposits, "every deposit is credited once");
        let withdrawals: BTreeSet<&str> = self.withdrawals.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(withdrawn, withdrawals, "every withdrawal is charged once");
        figures.entries += self.entries.len() as u64;
    }

    /// Checks that each deposit and each withdrawal was reported under one id with one body.
    fn check_callbacks(&self, inbox: &Inbox, figures: &mut Figures) {
        let received = inbox.by_id();
        let ids: BTreeSet<&str> = self.callbacks.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(
            received.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            ids,
            "every callback was delivered"
        );
        assert!(self.callbacks.iter().all(|row| row[3] == "DELIVERED"), "{:?}", self.callbacks);
        let mut told: BTreeSet<String> = BTreeSet::new();
        for (id, bodies) in &received {
            assert!(bodies.iter().all(|body| *body == bodies[0]), "{id} was sent with different bodies");
            let body: Value = serde_json::from_str(&bodies[0]).unwrap();
            figures.repeated += bodies.len() as u64 - 1;
            if body.get("type").is_some() {
                continue;
            }
            let subject = body.get("depositId").unwrap_or(&body["withdrawalId"]);
            assert!(
                told.insert(subject.as_str().unwrap().to_owned()),
                "{subject} has callbacks with two ids"
            );
        }
        let told_of = self.deposits.iter().filter(|row| row[4] != "REFUSED");
        let subjects = told_of.chain(&self.withdrawals).map(|row| row[0].clone());
        assert_eq!(told, subjects.collect::<BTreeSet<_>>(), "exactly one callback per subject");
        figures.callbacks += told.len() as u64;
    }
}

/// Runs a query. Returns every column as text.
pub(crate) fn read(database: &str, question: &'static str) -> Rows {
    if !database.starts_with("sqlite:") {
        let answer = sql(database, question);
        return answer.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = SqliteConnection::connect(database).await.unwrap();
        let rows = sqlx::query(question).fetch_all(&mut connection).await.unwrap();
        let text = |row: &sqlx::sqlite::SqliteRow, at: usize| {
            row.try_get::<String, _>(at).unwrap_or_else(|_| row.get::<i64, _>(at).to_string())
        };
        rows.iter().map(|row| (0..row.len()).map(|at| text(row, at)).collect()).collect()
    })
}
