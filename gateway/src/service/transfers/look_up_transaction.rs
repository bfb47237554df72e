//! A payer looks for a transfer by its transaction id. No payment changes; a transfer without its tag is reported to the operator.

use std::sync::Arc;
use std::time::Duration;

use checkout_core::Network;
use checkout_core::transaction_id;
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::finding::{Looked, finding};
use checkout_domain::ports::{Chain, ChainError};
use checkout_wire::rules::Finding;
use futures::future::join_all;

use crate::service::App;
use crate::service::transfers::{report_uncredited, report_untagged};

/// How long a network is waited for.
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
    let mut findings = Vec::new();
    for ((chain, id), answer) in asked.iter().zip(&answers) {
        let Ok(Some(found)) = answer else { continue };
        let looked = Looked { network: chain.network(), id, found, required: chain.required_confirmations() };
        // A transaction that pays with the tag can pay without it, too.
        let is_reported = report_untagged::report(app, record, &looked).await;
        report_uncredited::report(app, record, &looked).await;
        let found = match finding(record, &looked) {
            // It may pay in the part that could not be read.
            Finding::OtherAddress(_) | Finding::NoTransfer if is_unread(app, &looked).await => {
                Finding::Unclear
            }
            found => found,
        };
        findings.push(match found {
            Finding::OtherTag { coins, tag, .. } => {
                let reported = is_reported && tag.is_none();
                Finding::OtherTag { coins, tag, reported }
            }
            other => other,
        });
    }
    let concerns = |finding: &Finding| !matches!(finding, Finding::OtherAddress(_) | Finding::NoTransfer);
    findings.sort_by_key(|finding| !concerns(finding));
    let missing = if is_reached { Finding::Unknown } else { Finding::NotAsked };
    findings.into_iter().next().unwrap_or(missing)
}

async fn is_unread(app: &App, looked: &Looked<'_>) -> bool {
    app.store.is_unread(looked.network, looked.id).await.unwrap_or(false)
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

pub(crate) async fn ask(chain: &dyn Chain, id: &str) -> Result<Option<FoundTransaction>, ChainError> {
    let late = |_| Err(format!("no answer within {} seconds", TIMEOUT.as_secs()).into());
    let answer = tokio::time::timeout(TIMEOUT, chain.look_up(id)).await.unwrap_or_else(late);
    answer.inspect_err(|error| {
        tracing::warn!(network = %chain.network(), %error, "a transaction was not looked up");
    })
}
