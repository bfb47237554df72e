//! Stores what a payer's look-up found that no payment is credited for, so that the operator knows whose it is.

use checkout_domain::chain::set_aside::{SetAside, UncreditedCoins};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::finding::{Looked, not_credited};

use crate::service::App;

pub(crate) async fn report(app: &App, record: &PaymentWithDeposits, looked: &Looked<'_>) {
    if looked.found.confirmations < looked.required {
        return;
    }
    for coins in not_credited(record, looked) {
        let entry = SetAside {
            network: looked.network,
            transaction: looked.id.to_owned(),
            part: format!("{} to {}", coins.asset, coins.to),
            height: 0,
            block: String::new(),
            why: format!("{} {} arrived and is not credited", coins.amount, coins.asset),
        };
        let payment = record.payment.id;
        let (asset, amount, to) = (coins.asset.clone(), coins.amount.clone(), coins.to.clone());
        let uncredited = UncreditedCoins { payment, asset, amount, to };
        match app.store.report_uncredited(&entry, &uncredited, app.clock.now()).await {
            Ok(true) => {
                tracing::warn!(%payment, network = %looked.network, transaction = looked.id, why = entry.why,
                "a payer looked up coins that are not credited");
            }
            Ok(false) => {}
            Err(error) => {
                tracing::error!(%payment, transaction = looked.id, %error, "uncredited coins were not listed");
            }
        }
    }
}
