//! Money under random transfers, blocks, reorganisations, drops, withdrawals and restarts: what the ledger says is what the
//! chain carries, and nothing is sent twice.

use std::collections::BTreeMap;

use checkout_core::Currency;
use serde_json::json;

use super::World;
use super::random_chain::Dice;
use crate::service::create_business::NewBusiness;
use crate::service::pay_out;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_ledger_is_what_the_chain_carries() {
    let runs: Vec<_> = (1..=16).map(|seed| tokio::spawn(run(seed))).collect();
    let mut sums = [0; 3];
    for run in runs {
        let counts = run.await.unwrap();
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let [refunds, withdrawals, refused] = sums;
    // The dice have to have met the cases that this test is about.
    assert!(refunds > 16 && withdrawals > 8 && refused > 8, "{sums:?}");
}

/// Counts of refunds and withdrawals that were sent, and of withdrawals that were refused.
async fn run(seed: u64) -> [i64; 3] {
    let mut dice = Dice::new(seed);
    let fair = NewBusiness { refund_excess: true, refund_follow_ups: true, ..NewBusiness::default() };
    let mut world = World::settling("0.5", Currency::Btc, fair).await;
    let mut payments = Vec::new();
    for order in 0..3 {
        let fields =
            json!({"clientPaymentId": order.to_string(), "displayAmount": "200.00", "expirationMinutes": 0});
        payments.push(world.quoted(fields, "BTC", "BTC").await.0);
    }
    let (mut sent, mut dropped, mut refused) = (Vec::new(), false, 0);
    for step in 0..40 {
        match dice.roll(12) {
            0..=3 => {
                let payment = &payments[usize::try_from(dice.roll(3)).unwrap()];
                let amount = format!("0.{:08}", 1000 + dice.roll(500_000));
                sent.push(world.pay(payment, &amount).await);
            }
            4..=6 => world.mine("BTC").await,
            7 => drop(world.sandbox("reorgs", json!({"network": "BTC", "depth": 1 + dice.roll(3)})).await),
            8 if !sent.is_empty() && seed.is_multiple_of(2) => {
                let which = usize::try_from(dice.roll(sent.len() as u64)).unwrap();
                world.sandbox("drops", json!({"transactionId": sent[which]})).await;
                dropped = true;
            }
            9 => world = world.restart().await,
            _ => {
                let account = if dice.roll(2) == 0 { "FIAT" } else { "CRYPTO" };
                let fields = json!({
                    "clientWithdrawalId": format!("w-{step}"), "withdrawCurrency": "BTC", "network": "BTC",
                    "recipientAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "withdrawalAccount": account,
                    "targetAmount": format!("0.{:08}", 50_000 + dice.roll(200_000)),
                });
                let before = world.balances().await;
                let answer = world.withdraw(fields).await;
                if answer.status.as_u16() == 422 {
                    assert_eq!(answer.json["errors"][0]["code"], "insufficient_balance", "{}", answer.json);
                    assert_eq!(world.balances().await, before);
                    refused += 1;
                }
            }
        }
        pay_out::run(&world.app).await.unwrap();
        check(&world, &format!("seed {seed}, step {step}")).await;
    }
    world.mine("BTC").await;
    if !dropped {
        check_payers(&world, &format!("seed {seed}")).await;
    }
    let count = async |purpose: &str| -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM payouts WHERE kind = $1 AND state IN ('SENT', 'CONFIRMED')")
            .bind(purpose)
            .fetch_one(&world.database.readers)
            .await
            .unwrap()
    };
    [count("REFUND").await, count("WITHDRAWAL").await, refused]
}

async fn satoshi(world: &World, sql: &'static str) -> i64 {
    let amounts: Vec<String> = sqlx::query_scalar(sql).fetch_all(&world.database.readers).await.unwrap();
    amounts.iter().map(|amount| amount.parse::<i64>().unwrap()).sum()
}

async fn check(world: &World, case: &str) {
    let balances = world.balances().await;
    let units = |name: &str| {
        balances.get(name).map_or(0, |amount| {
            let (sign, amount) = amount.strip_prefix('-').map_or((1, amount.as_str()), |rest| (-1, rest));
            let amount = checkout_core::Amount::parse(amount, 8).unwrap();
            sign * i64::try_from(amount.atoms()).unwrap()
        })
    };
    let incoming = satoshi(world, "SELECT amount FROM deposits WHERE state = 'CONFIRMED'").await;
    let outgoing = satoshi(world, "SELECT amount FROM payouts WHERE state IN ('SENT', 'CONFIRMED')").await;
    assert_eq!(units("CHAIN BTC"), outgoing - incoming, "{case}");
    assert_eq!(
        balances.get("WITHDRAWALS EUR").or(balances.get("WITHDRAWALS BTC")),
        None,
        "{case}: all is sent"
    );

    let on_chain: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM sim_transfers WHERE transaction_id NOT IN (SELECT transaction_id FROM deposits)",
    )
    .fetch_one(&world.database.readers)
    .await
    .unwrap();
    let stored: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM payouts WHERE state IN ('SENT', 'CONFIRMED')")
        .fetch_one(&world.database.readers)
        .await
        .unwrap();
    assert_eq!(on_chain, stored, "{case}: nothing is sent twice");
    let orphans: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM payouts WHERE kind = 'REFUND' AND state NOT IN ('CANCELLED', 'FAILED')
             AND id NOT IN (SELECT payout FROM refunds WHERE payout IS NOT NULL)",
    )
    .fetch_one(&world.database.readers)
    .await
    .unwrap();
    assert_eq!(orphans, 0, "{case}: every refund belongs to a deposit");
}

/// Without a double spend, what goes back never touches the price, and nothing beyond it stays but what is too little to
/// send.
async fn check_payers(world: &World, case: &str) {
    let rows: Vec<(String, String, Option<String>)> = sqlx::query_as(
        "SELECT payment, amount, (SELECT gross FROM refunds WHERE deposit = deposits.id AND payout IS NOT NULL)
         FROM deposits WHERE state = 'CONFIRMED'",
    )
    .fetch_all(&world.database.readers)
    .await
    .unwrap();
    let mut kept: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for (payment, amount, gross) in rows {
        let (incoming, stays) = kept.entry(payment).or_default();
        let amount: i64 = amount.parse().unwrap();
        *incoming += amount;
        *stays += amount - gross.map_or(0, |gross| gross.parse().unwrap());
    }
    // 200 EUR at 60,000; up to 3,000 satoshi a deposit cannot be sent back.
    for (payment, (incoming, stays)) in kept {
        assert!(stays >= incoming.min(333_334), "{case}: {payment} keeps {stays} of {incoming}");
        assert!(stays <= 333_334 + 40 * 3_000, "{case}: {payment} keeps {stays} of {incoming}");
    }
}
