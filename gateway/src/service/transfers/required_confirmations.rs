//! How many confirmations a deposit needs.

use checkout_core::{Amount, Network, Pair};
use checkout_domain::payment::quote;
use checkout_domain::rates::asset::Asset;

use crate::service::App;

/// Every transfer of the network needs them.
pub fn by_network(app: &App, network: Network) -> u64 {
    app.chains.get(&network).map_or(1, |chain| chain.required_confirmations())
}

/// What an amount needs at the market's rate of now.
pub fn by_amount(app: &App, pair: &Pair, amount: Amount) -> u64 {
    app.policy.confirmations.required(pair.network, |fiat| {
        let rate = app.rates.rate(Asset::Crypto(pair.currency), Asset::Fiat(fiat)).ok()?;
        quote::value(amount, pair, rate, fiat).ok()
    })
}
