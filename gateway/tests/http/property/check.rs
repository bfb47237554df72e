//! Compares the gateway's answers with the model.

use std::collections::{BTreeMap, BTreeSet};

use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::ports::screening::{FlaggedStore as _, HeldCounts};
use serde_json::Value;

use super::coins::COINS;
use super::events;
use super::model::{Deposit, Model, Payment, Place};
use super::money::Balances;
use super::senders::Verdict;
use crate::World;
use crate::fixture::Look as _;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, have: &T, expected: &T) -> Result<(), String> {
    if have == expected {
        return Ok(());
    }
    Err(format!("{what}\n  the gateway has {have:?}\n  the model has   {expected:?}"))
}

/// Checks every payment and the ledger.
pub(super) async fn all(world: &World, model: &Model) -> Result<(), String> {
    for payment in &model.payments {
        let json = world.payment(&payment.id).await;
        one(&json, payment, model).map_err(|wrong| format!("{wrong}\n{json:#}"))?;
    }
    held(world, model).await?;
    events::check(world).await?;
    let have = world.database.balances(world.business.id).await.unwrap();
    let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
    for (_, money) in &have {
        *sums.entry(money.asset.code()).or_default() += money.units;
    }
    sums.retain(|_, sum| *sum != 0);
    same("not every asset adds up to zero", &sums, &BTreeMap::new())?;
    let present = have.iter().filter(|(_, money)| money.units != 0);
    let have: Balances = present
        .map(|(account, money)| (format!("{} {}", account.as_str(), money.asset.code()), money.units))
        .collect();
    same("the accounts", &have, &model.balances())?;
    let lost = have.iter().find(|(account, units)| account.starts_with("REFUNDS ") && **units < 0);
    match lost.filter(|_| model.scene.is_honest) {
        Some((account, units)) => Err(format!("was refunded without a deposit: {units} of {account}")),
        None => Ok(()),
    }
}

/// Checks each deposit's screening state and the metrics.
async fn held(world: &World, model: &Model) -> Result<(), String> {
    let rows =
        world.database.texts("SELECT transaction_id || ':' || output_index, screening FROM deposits").await;
    let text = |text: &Option<String>| text.clone().unwrap();
    let have: BTreeMap<String, String> = rows.iter().map(|row| (text(&row[0]), text(&row[1]))).collect();
    let deposits = || model.payments.iter().flat_map(|payment| &payment.deposits);
    let id = |deposit: &Deposit| model.transfers[deposit.transfer].output();
    let expected = deposits().map(|deposit| (id(deposit), deposit.verdict.word().to_owned()));
    same("the screening of the deposits", &have, &expected.collect())?;
    let count = |verdict| {
        let waiting = deposits().filter(|one| one.place != Place::Gone && one.verdict == verdict);
        waiting.count() as u64
    };
    let expected = HeldCounts { flagged: count(Verdict::Flagged), unscreened: count(Verdict::Open) };
    same("who waits", &world.database.held_deposits().await.unwrap(), &expected)
}

fn text<'a>(json: &'a Value, name: &str) -> &'a str {
    json[name].as_str().unwrap_or("nothing")
}

fn one(json: &Value, payment: &Payment, model: &Model) -> Result<(), String> {
    same("status", &text(json, "status"), &payment.status(model.now))?;
    let coin = &COINS[payment.coin];
    let counting = payment.deposits.iter().filter(|deposit| deposit.counts());
    let actual: u128 = counting.map(|deposit| payment.in_coin(deposit)).sum();
    same("actualDepositAmount", &coin.atoms(text(json, "actualDepositAmount")), &actual)?;
    let mut have: BTreeMap<&str, [&str; 8]> = BTreeMap::new();
    for deposit in json["deposits"].as_array().unwrap() {
        let refund = &deposit["refund"];
        // Whether a payout is in a block depends on when the gateway looked, so the two states are treated as one.
        let state = text(refund, "status").replace("CONFIRMED", "PENDING");
        let state = if state == "PENDING" { "SENT" } else { text(refund, "status") };
        let row = [
            text(deposit, "status"),
            text(deposit, "depositAmount"),
            state,
            text(refund, "amount"),
            text(refund, "type"),
            text(refund, "reason"),
            if refund["transactionId"].is_string() { "signed" } else { "not signed" },
            text(refund, "waitingFor"),
        ];
        if have.insert(text(deposit, "transactionId"), row).is_some() {
            return Err("one transfer is two deposits".to_owned());
        }
    }
    let present: Vec<&Deposit> = payment.deposits.iter().filter(|deposit| deposit.stands()).collect();
    let expected: Vec<(&str, [String; 8])> =
        present.iter().map(|deposit| (model.transfers[deposit.transfer].id.as_str(), row(deposit))).collect();
    let expected = expected.iter().map(|(id, row)| (*id, row.each_ref().map(String::as_str))).collect();
    same("deposits", &have, &expected)
}

fn row(deposit: &Deposit) -> [String; 8] {
    let coin = &COINS[deposit.coin];
    let nothing = || "nothing".to_owned();
    let mut row = [
        if deposit.is_confirmed() { "CONFIRMED" } else { "UNCONFIRMED" }.to_owned(),
        coin.text(deposit.atoms),
        nothing(),
        nothing(),
        nothing(),
        nothing(),
        "not signed".to_owned(),
        nothing(),
    ];
    if let Some(refund) = &deposit.refund {
        let amount = if refund.possible { refund.gross - refund.fee } else { refund.gross };
        row[2] = String::from(if refund.possible { "SENT" } else { "NON_REFUNDABLE" });
        row[3] = coin.text(amount);
        row[4] = String::from(if refund.gross == deposit.atoms { "FULL" } else { "PARTIAL" });
        if refund.sent {
            row[6] = String::from("signed");
        }
        if refund.waits {
            row[7] = String::from("ADDRESS");
        } else if refund.possible && deposit.unapproved {
            row[7] = String::from("APPROVAL");
        }
        row[5] = String::from(if refund.follow_up { "FOLLOW_UP_DEPOSIT" } else { "OVERPAYMENT" });
    }
    row
}

/// Checks the chains, and the ledger line by line.
pub(super) async fn books(world: &World, model: &Model) -> Result<(), String> {
    let sent = world.database.texts(
        "SELECT transaction_id, amount FROM sim_transfers
         WHERE transaction_id NOT IN (SELECT transaction_id FROM deposits)
             AND height IS NOT NULL AND dropped = 0 ORDER BY amount",
    );
    let sent = sent.await;
    let text = |row: &[Option<String>], column: usize| row[column].clone().unwrap();
    let payers: BTreeSet<&str> = model.transfers.iter().map(|transfer| transfer.id.as_str()).collect();
    let mut have: Vec<u128> = sent
        .iter()
        .filter(|row| !payers.contains(text(row, 0).as_str()))
        .map(|row| text(row, 1).parse().unwrap())
        .collect();
    let deposits = model.payments.iter().flat_map(|payment| &payment.deposits);
    let refunds = deposits.filter_map(|deposit| {
        let refund = deposit.refund.as_ref().filter(|refund| refund.sent)?;
        Some(refund.gross - refund.fee)
    });
    let mut expected: Vec<u128> = refunds.collect();
    expected.extend(
        model.withdrawals.iter().filter(|withdrawal| withdrawal.sent).map(|withdrawal| withdrawal.atoms),
    );
    have.sort_unstable();
    expected.sort_unstable();
    same("what is on the chains", &have, &expected)?;
    let open = "SELECT id, state FROM payouts WHERE state NOT IN ('FINAL', 'CANCELLED', 'FAILED')";
    same("payouts without an end", &world.database.texts(open).await, &Vec::new())?;

    let lines = world.database.texts("SELECT cause, account, asset, units FROM ledger_lines").await;
    let (mut sums, mut entries) = (Balances::new(), BTreeMap::<(String, String), i128>::new());
    for row in &lines {
        let [cause, account, asset, units] = [0, 1, 2, 3].map(|column| text(row, column));
        let units: i128 = units.parse().unwrap();
        *sums.entry(format!("{account} {asset}")).or_default() += units;
        *entries.entry((cause, asset)).or_default() += units;
    }
    sums.retain(|_, sum| *sum != 0);
    entries.retain(|_, sum| *sum != 0);
    same("entries that do not add up to zero", &entries, &BTreeMap::new())?;
    same("the lines of the ledger", &sums, &model.balances())?;
    events::check_payouts(world).await
}
