//! A payer looks for a transfer by its transaction id. Nothing is stored, and nothing changes.

use std::sync::Arc;
use std::time::Duration;

use checkout_core::Network;
use checkout_core::payment::Finding;
use checkout_core::transaction_id;
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::finding::{Looked, finding};
use checkout_domain::ports::{Chain, ChainError};
use futures::future::join_all;

use crate::service::App;

/// How long the payer waits for a network.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Asks the networks on which an address of the payment is an account, the chosen one first.
pub async fn look_up(app: &App, record: &PaymentWithDeposits, text: &str) -> Finding {
    let mut mistake = None;
    let mut asked: Vec<(Arc<dyn Chain>, String)> = Vec::new();
    for chain in chains(app, record) {
        match transaction_id::parse(chain.network(), text) {
            Ok(id) => asked.push((chain, id)),
            Err(error) => mistake = mistake.or(Some(error)),
        }
    }
    if asked.is_empty() {
        return mistake.map_or(Finding::NotAsked, Finding::NoId);
    }
    let answers = join_all(asked.iter().map(|(chain, id)| ask(chain.as_ref(), id))).await;
    let is_reached = answers.first().is_some_and(Result::is_ok);
    let findings = asked.iter().zip(&answers).filter_map(|((chain, id), answer)| {
        let found = answer.as_ref().ok()?.as_ref()?;
        let looked = Looked { network: chain.network(), id, found, required: chain.required_confirmations() };
        Some(finding(record, &looked))
    });
    let concerns = |finding: &Finding| !matches!(finding, Finding::OtherAddress(_) | Finding::NoTransfer);
    let mut findings: Vec<Finding> = findings.collect();
    if let Some(Finding::OtherTag { coins, tag }) = findings.iter().find(|finding| concerns(finding)) {
        tracing::info!(payment = %record.payment.id, network = %coins.pair.network, transaction = asked[0].1, tag = tag.as_deref(),
            "a payer asks for a transfer that has not the tag of the payment");
    }
    findings.sort_by_key(|finding| !concerns(finding));
    let missing = if is_reached { Finding::Unknown } else { Finding::NotAsked };
    findings.into_iter().next().unwrap_or(missing)
}

fn chains(app: &App, record: &PaymentWithDeposits) -> Vec<Arc<dyn Chain>> {
    let mut networks: Vec<Network> = Vec::new();
    for quote in record.quotes.iter().rev() {
        for network in quote.network.spec().shared_accounts {
            if !networks.contains(network) {
                networks.push(*network);
            }
        }
    }
    networks.iter().filter_map(|network| app.chains.get(network).cloned()).collect()
}

async fn ask(chain: &dyn Chain, id: &str) -> Result<Option<FoundTransaction>, ChainError> {
    let late = |_| Err(format!("no answer within {} seconds", TIMEOUT.as_secs()).into());
    let answer = tokio::time::timeout(TIMEOUT, chain.look_up(id)).await.unwrap_or_else(late);
    answer.inspect_err(|error| {
        tracing::warn!(network = %chain.network(), %error, "a payer's transaction was not looked up");
    })
}
