//! Everything that the hosted page needs to start.

use std::cmp::Reverse;
use std::sync::Arc;

use checkout_core::pair::{self, Pair};
use checkout_domain::business::Business;
use checkout_domain::chain::OutputState;
use checkout_domain::chain::environment::TestEnvironment;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::quote;
use checkout_domain::payment::status;
use checkout_domain::payment::{Payment, PaymentWithDeposits};
use checkout_domain::ports::Stored;
use checkout_wire::checkout_view::{CheckoutView, DepositOption, TestNetwork, Transfer};

use crate::render::claim::claim;
use crate::render::payment as render;
use crate::service::App;
use crate::service::payments::past_choices;
use crate::service::payments::usual_fee::UsualFees;
use crate::service::payouts::network_fee;
use crate::service::transfers::required_confirmations::{by_amount, by_network};

/// Returns `None` if the payment's business does not exist.
pub async fn view(app: &App, record: &PaymentWithDeposits) -> Stored<Option<CheckoutView>> {
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(None) };
    let fees = network_fee::of_all(app, record.received_pairs()).await;
    Ok(Some(CheckoutView {
        // The page adds the amounts of all deposits.
        payment: render::whole_for_payer(record, app.clock.now()),
        version: record.version,
        transfers: transfers(app, record),
        transfer_vanished: last_has_vanished(&record.deposits),
        remaining_amount: status::remaining(record).map(Into::into),
        rate: render::rate(&record.payment).map(Into::into),
        claims: record.claimable(app.clock.now(), &fees).iter().map(claim).collect(),
        options: options(app, &business, &record.payment).await?,
        merchant_name: business.name,
        support_url: business.support_url,
        allowed_origins: business.allowed_origins,
        sandbox: app.policy.sandbox,
        test_networks: test_networks(app),
    }))
}

fn test_networks(app: &App) -> Vec<TestNetwork> {
    let test = |(network, test): (checkout_core::Network, &TestEnvironment)| TestNetwork {
        network: network.into(),
        name: test.name.clone(),
        own_addresses: test.addresses.is_some(),
        chain_id: test.chain_id,
    };
    app.policy.environments.tests().map(test).collect()
}

fn last_has_vanished(deposits: &[Deposit]) -> bool {
    deposits
        .iter()
        .max_by_key(|deposit| deposit.seen_seq)
        .is_some_and(|deposit| deposit.state == OutputState::Vanished)
}

fn transfers(app: &App, record: &PaymentWithDeposits) -> Vec<Transfer> {
    let paid_at = record.payment.quote.as_ref().and_then(|quote| status::paid_at(record, quote));
    let is_follow_up = |deposit: &Deposit| status::is_follow_up(paid_at, deposit);
    record.present_deposits().map(|deposit| transfer(app, deposit, is_follow_up(deposit))).collect()
}

fn transfer(app: &App, deposit: &Deposit, follow_up: bool) -> Transfer {
    let network = deposit.output.network;
    let required = by_network(app, network).max(deposit.required_by_amount);
    let confirmations = deposit.counted(required);
    Transfer {
        deposit_id: deposit.id.to_string().into(),
        network: network.into(),
        confirmations,
        required_confirmations: confirmations.map(|_| required),
        follow_up,
    }
}

/// Fewer payments in a pair say nothing of others.
const FEWEST: u64 = 5;

/// The pairs that are available now, and whose amount the network takes: the one requested at creation first, then those in which
/// the business was paid most and often enough, then in table order.
pub async fn options(app: &App, business: &Business, payment: &Payment) -> Stored<Vec<DepositOption>> {
    let ranks = checkout_core::currency::EVERY_CURRENCY.iter().map(|row| row.currency);
    let mut pairs: Vec<&Pair> = ranks
        .flat_map(|currency| {
            pair::EVERY_PAIR.iter().filter(move |pair| pair.deposit && pair.currency == currency)
        })
        .filter(|pair| {
            business.accepts_on(pair.currency, pair.network) && app.takes(pair.network) && app.reads(pair)
        })
        .filter(|pair| payment.fixed_currency().is_none_or(|fixed| fixed == pair.currency))
        .filter(|pair| payment.fixed_network().is_none_or(|fixed| fixed == pair.network))
        .collect();
    let past = match pairs.len() {
        ..2 => Arc::default(),
        _ => past_choices::before(app, payment).await?,
    };
    pairs.sort_by_key(|pair| {
        let other_currency = payment.requested_currency.is_some_and(|wanted| wanted != pair.currency);
        let other_network = payment.requested_network.is_some_and(|wanted| wanted != pair.network);
        let count = past.paid.get(&(pair.currency, pair.network)).filter(|count| **count >= FEWEST);
        (other_currency, other_network, Reverse(count))
    });
    Ok(pairs.into_iter().filter_map(|pair| option(app, payment, pair, &past.fees)).collect())
}

/// `None` if nobody can send so little.
fn option(app: &App, payment: &Payment, pair: &Pair, fees: &UsualFees) -> Option<DepositOption> {
    let rates = app.market_rates(pair.currency, payment.display_currency).ok();
    let terms = rates
        .and_then(|rates| quote::terms(&payment.price, payment.display_currency, pair, rates.shown()).ok());
    let amount = terms.map(|terms| terms.expected);
    amount.is_none_or(|amount| quote::can_be_sent(amount, pair).is_ok()).then(|| DepositOption {
        currency: pair.currency.into(),
        network: pair.network.into(),
        estimated_amount: amount.map(|amount| amount.to_text(pair.decimals).into()),
        required_confirmations: Some(
            by_network(app, pair.network).max(amount.map_or(1, |amount| by_amount(app, pair, amount))),
        ),
        usual_fee: fees.of(app, pair.currency, pair.network, payment.display_currency).map(Into::into),
    })
}
