//! The acts of the payer, the chain and the operator.

use checkout_core::{Amount, Network, Pair, pair};
use checkout_domain::chain::screening::{Decision, Screening};
use checkout_gateway::service::transfers::record_transfers::RecordError;
use checkout_gateway::service::transfers::screen_deposits;
use checkout_simulator::chain::samples;
use checkout_simulator::requests::TransferRequest;
use checkout_simulator::world;
use reqwest::Method;
use serde_json::{Value, json};

use super::Player;
use crate::rehearsal::stories::Coin;

impl Coin {
    fn pair(self) -> &'static Pair {
        let code = match self {
            Self::Btc => "BTC",
            Self::Eth => "ETH",
        };
        let (currency, network) = (code.parse().ok(), code.parse().ok());
        let found = currency.zip(network).and_then(|(currency, network)| pair::find(currency, network));
        found.expect("each coin travels on its own network")
    }

    pub(super) fn network(self) -> Network {
        self.pair().network
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn failed(error: RecordError) -> String {
    error.to_string()
}

impl Player {
    /// Amount and address in this coin, from the first time that it was chosen.
    pub(super) async fn choose(&mut self, coin: Coin) -> Result<Value, String> {
        if let Some(quote) = self.order.quotes.get(&coin) {
            return Ok(quote.clone());
        }
        let pair = coin.pair();
        let path = format!("payments/{}", self.order.payment);
        let body = json!({"depositCurrency": pair.currency.code(), "network": pair.network.code()});
        let chosen = self.stage.call(Method::PATCH, &path, &body).await?;
        let quote = chosen["paymentInfo"].clone();
        self.order.quotes.insert(coin, quote.clone());
        Ok(quote)
    }

    pub(super) async fn send(&mut self, coin: Coin, percent: u128) -> Result<(), String> {
        let pair = coin.pair();
        let quote = self.choose(coin).await?;
        let text = |name: &str| quote[name].as_str().ok_or_else(|| format!("the quote has no {name}"));
        let expected = Amount::parse(text("expectedDepositAmount")?, pair.decimals);
        let expected =
            expected.map_err(|error| format!("the amount of the quote cannot be read: {error:?}"))?;
        let part = Amount::from_atoms((expected.atoms() * percent).div_ceil(100));
        let request = TransferRequest {
            pair,
            address: text("walletAddress")?.to_owned(),
            tag: None,
            amount: part.map_err(|_| "the amount is too large".to_owned())?,
            from: None,
            from_tag: None,
            replaceable: false,
            transaction: None,
            sender: None,
        };
        let sent = world::send(&self.stage.world, &request).await.map_err(failed)?;
        self.order.transfer = sent.ok_or("the transfer was not sent")?;
        Ok(())
    }

    pub(super) async fn end_window(&self) -> Result<(), String> {
        let id = self.order.payment.parse().map_err(|_| "the payment's id is none".to_owned())?;
        let record = self.stage.app().store.payment(id).await.map_err(|error| error.to_string())?;
        let end = record.and_then(|record| record.payment.window_end());
        let end = end.ok_or("the payments of the shop never expire")?;
        self.stage.advance(end.saturating_sub(self.stage.app().clock.now()) + 1).await
    }

    /// Flags the sender of all transfers on ETH, or clears it.
    pub(super) async fn flag(&self, flagged: bool) -> Result<(), String> {
        let network = Coin::Eth.network();
        let simulator = &self.stage.world.sandbox.simulator;
        simulator.flag(network, samples::sender(network), flagged).await.map_err(|error| error.to_string())
    }

    pub(super) async fn release(&self) -> Result<(), String> {
        self.flag(false).await?;
        let (app, business) = (self.stage.app(), self.stage.business);
        let held = app.store.flagged_deposits(Some(business), Some(Screening::Flagged), 1_000).await;
        let held = held.map_err(|error| error.to_string())?;
        let own = held.iter().find(|held| held.payment.to_string() == self.order.payment);
        let deposit = own.ok_or("the deposit is not held")?.deposit;
        let decided = screen_deposits::decide(app.store.as_ref(), deposit, Decision::Release).await;
        let decided = decided.map_err(|error| error.to_string())?;
        decided.refusal().map_or(Ok(()), Err)
    }
}
