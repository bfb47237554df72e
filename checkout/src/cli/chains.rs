//! `checkout chains`: checks nodes and rescans blocks.

use std::process::ExitCode;

use checkout_core::Network;
use checkout_domain::chain::source::{self, Level, fault};
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::chain::ChainError;
use checkout_domain::ports::store::Store as _;
use checkout_domain::ports::transfers::TransferStore as _;
use checkout_gateway::service::payouts::final_check;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::configured::Configured;
use super::pending::Pending;
use super::sweep::Sweep;
use super::{Outcome, answer, block_on, failed, restore};

#[derive(Debug, Subcommand)]
pub(super) enum Chains {
    /// Connects to each configured node and reports its state. Exits with 1 if a network cannot be used for
    /// payments.
    Check(Check),
    /// Rescans blocks for transfers to all deposit addresses.
    Rescan(Rescan),
    /// Lists entries that could not be read, and has them read again.
    Pending(Pending),
    /// Moves deposits of an EVM network or TRX from their addresses to one.
    Sweep(Box<Sweep>),
}

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    configured: Configured,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Rescan {
    /// Network to search, such as LTC.
    network: Network,
    /// First block to search.
    #[arg(long, default_value_t = 0)]
    from: u64,
    #[command(flatten)]
    configured: Configured,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Chains {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Check(command) => block_on(check(command)),
            Self::Rescan(command) => block_on(rescan(command)),
            Self::Pending(command) => block_on(command.run()),
            Self::Sweep(command) => block_on(command.run()),
        }
    }
}

async fn check(command: Check) -> Outcome {
    let (database, connected, addresses, _scratch) = command.configured.connect_for_check().await?;
    let mut is_sound = true;
    let mut shown = Vec::new();
    for (network, chain) in &connected.chains {
        let mut checks = chain.health().await;
        if fault(&checks).is_none() {
            checks.extend(chain.methods().await);
        }
        let needed = connected.confirmations.all().filter(|(known, _)| known == network);
        let rows = needed.flat_map(|(_, rules)| rules).map(|rule| format!("{}: {}", rule.of, rule.required));
        let rows: Vec<String> = rows.collect();
        if !rows.is_empty() {
            checks.push(source::Check::good("confirmations", rows.join(", ")));
        }
        if let Some(first) = addresses.address(*network, 0) {
            let detail = format!("the first address is {first}: compare it with your wallet's");
            checks.push(source::Check::good("deposit key", detail));
        }
        if let Some((kind, first)) = addresses.as_other_kind(*network) {
            let detail = format!(
                "as {kind}(…) the first address would be {first}: if your wallet shows that one, write {kind}(KEY)"
            );
            checks.push(source::Check::good("deposit key", detail));
        }
        if let Some(broadcaster) = connected.broadcasters.get(network) {
            // A node that does not answer was named already.
            if checks.iter().all(|check| check.subject != "connection" || check.level == Level::Good) {
                checks.extend(broadcaster.health().await);
            }
        } else {
            let detail = "no wallet is configured: withdrawals and refunds on this network are not sent";
            checks.push(source::Check::warning("payouts", detail));
        }
        is_sound &= fault(&checks).is_none();
        for check in checks {
            let level = match check.level {
                Level::Good => "ok",
                Level::Warning => "warning",
                Level::Fault => "WRONG",
            };
            let network = network.code();
            if command.json {
                shown.push(json!({
                    "network": network, "level": level.to_ascii_lowercase(), "subject": check.subject,
                    "detail": check.detail,
                }));
            } else {
                answer(&format!("{network:<4} {level:<8} {:<14} {}", check.subject, check.detail))?;
            }
        }
    }
    let unread = final_check::unread(&database, |network| connected.chains.contains_key(&network));
    for network in unread.await.map_err(failed)? {
        let (network, detail) =
            (network.code(), "it is not configured: deposits that were credited stay pending");
        if command.json {
            shown.push(
                json!({"network": network, "level": "warning", "subject": "finality", "detail": detail}),
            );
        } else {
            answer(&format!("{network:<4} {:<8} {:<14} {detail}", "warning", "finality"))?;
        }
    }
    database.close().await;
    if command.json {
        answer(&Value::from(shown).to_string())?;
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn rescan(command: Rescan) -> Outcome {
    let (database, connected, _) = command.configured.connect().await?;
    let network = command.network;
    let chain = connected.chains.get(&network).ok_or_else(|| format!("There is no [chains.{network}]."))?;
    let told = |error: ChainError| format!("{error}.");
    let mut from = command.from;
    if chain.unsearched("").await.map_err(told)?.is_some() {
        restore::pieces(network, chain.as_ref(), from).await.map_err(told)?;
        from = from.max(chain.tip().await.map_err(told)?.height);
    }
    chain.rescan(from).await.map_err(told)?;
    // A gateway that runs moves the cursor.
    let cursor = loop {
        let stored = database.cursor(network).await.map_err(failed)?;
        let cursor = chain.rescan_cursor(from, stored.as_deref()).await.map_err(told)?;
        let mut tx = database.begin().await.map_err(failed)?;
        if tx.cursor(network).await.map_err(failed)? == stored {
            tx.put_cursor(network, &cursor).await.map_err(failed)?;
            tx.commit().await.map_err(failed)?;
            break cursor;
        }
    };
    // Blocks that were not read yet are not left out, and those with transfers that can still vanish are read, too.
    let first = chain.read_up_to(&cursor).map_or(command.from, |height| height + 1);
    database.close().await;
    answer(&if command.json {
        json!({"network": network.code(), "from": first}).to_string()
    } else {
        format!("The gateway reads {network} again from block {first}.")
    })?;
    Ok(ExitCode::SUCCESS)
}
