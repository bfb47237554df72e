//! Runs the steps of a scene on the gateway, through its HTTP interface, and on the model.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::Poll;

use axum::http::Method;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::payouts::pay_out;
use checkout_gateway::service::transfers::record_transfers;
use checkout_wire::payment::RefundAddress;
use serde_json::{Value, json};

use super::check;
use super::coins::COINS;
use super::counts::Counts;
use super::courier::Merchants;
use super::model::{Hearing, Model, Payment, Quote, Withdrawal};
use super::screening::Moody;
use super::steps::{Order, Scene, Step};
use crate::fixture;
use crate::fixture::Look as _;
use crate::fixture::create_business;
use crate::{World, open};

/// A URL without a listener. The test answers callbacks before a connection is made.
const URL: &str = "http://127.0.0.1:9/";

pub(super) struct Stage {
    pub(super) world: World,
    pub(super) merchants: Arc<Merchants>,
    pub(super) silent: Arc<AtomicBool>,
    pub(super) model: Model,
}

pub(super) async fn play(scene: &Scene, steps: &[Step]) -> Result<Counts, String> {
    let mut stage = Stage::set(scene).await;
    check::all(&stage.world, &stage.model).await.map_err(|wrong| format!("at the start: {wrong}"))?;
    for (number, step) in steps.iter().enumerate() {
        let at = |wrong: String| format!("after step {number}, {step:?}: {wrong}");
        stage = Box::pin(stage.step(number, step)).await.map_err(at)?;
        check::all(&stage.world, &stage.model).await.map_err(at)?;
        stage.model.counts.steps += 1;
    }
    Box::pin(stage.end()).await.map_err(|wrong| format!("at the end: {wrong}"))
}

/// Returns the result of a future, or `None` when it is dropped after this many polls.
pub(super) async fn dying<T>(polls: Option<usize>, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = polls.unwrap_or(usize::MAX);
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

fn body(number: usize, order: &Order) -> Value {
    let coin = &COINS[order.coin];
    let mut body = json!({
        "clientPaymentId": format!("order-{number}"),
        "locale": "en-US",
        "displayCurrency": "EUR",
        "type": if order.reusable { "REUSABLE" } else { "ONE_TIME" },
        "rateType": if order.floating { "FLOATING" } else { "FIXED" },
    });
    if !order.reusable {
        body["expirationMinutes"] = json!(if order.long { 0 } else { 30 });
    }
    if order.in_crypto {
        body["depositCurrency"] = json!(coin.code);
        body["network"] = json!(coin.network.code());
        body["depositAmount"] = json!(coin.text(coin.least * 6));
    } else {
        body["displayAmount"] = json!(["400.00", "157.35", "59.99"][number % 3]);
    }
    body
}

impl Stage {
    async fn set(scene: &Scene) -> Self {
        let place = fixture::Place::chosen();
        let depth = |coin: &super::coins::Coin| (coin.network, scene.finality);
        let (app, simulated, database) =
            open(&place, Finality::with(COINS.iter().map(depth)), Vec::new()).await;
        let ratio = ["0", "0.5", "1"][usize::try_from(scene.halves).unwrap()];
        let business = Settings {
            name: Some("Kettle & Co".to_owned()),
            deposit_callback: Some(URL.to_owned()),
            withdrawal_callback: Some(URL.to_owned()),
            event_url: Some(URL.to_owned()),
            settlement_ratio: Some(checkout_core::decimal::parse(ratio, 1).unwrap()),
            settlement_crypto: Some(Some(checkout_core::Currency::Btc)),
            refund_excess: Some(scene.refund_excess),
            refund_follow_ups: Some(scene.refund_follow_ups),
            refund_address: Some(RefundAddress::Sender),
            ..Settings::default()
        };
        let (business, token) = create_business(&app, business).await;
        let model = Model::new(scene.clone(), app.clock.now());
        let router = crate::router(&app, &simulated);
        let world = World { place, app, simulated, router, database, business, token };
        let mut stage = Self { world, merchants: Arc::default(), silent: Arc::default(), model };
        stage.equip();
        stage.set_clocks().await;
        for (number, order) in scene.orders.iter().enumerate() {
            stage.open_payment(number, order).await;
        }
        stage
    }

    /// Replaces the gateway's external services: the merchants and the screening.
    fn equip(&mut self) {
        let screening = Arc::new(Moody::new(&self.world.app.screening, &self.silent));
        // The limit of automatic refunds has its own test.
        let policy = Policy { refunds_per_day: u32::MAX, ..self.world.app.policy.clone() };
        let app = App { webhooks: self.merchants.clone(), screening, policy, ..(*self.world.app).clone() };
        self.world.app = Arc::new(app);
        self.world.router = crate::router(&self.world.app, &self.world.simulated);
    }

    pub(super) async fn restart(mut self) -> Self {
        self.world = self.world.restart().await;
        self.equip();
        self.model.counts.restarts += 1;
        self
    }

    async fn open_payment(&mut self, number: usize, order: &Order) {
        let created = self.world.post("/api/v1/payments", &self.world.token, &body(number, order)).await;
        assert_eq!(created.status, 201, "{}", created.json);
        let now = self.model.now;
        self.model.payments.push(Payment {
            id: created.payment_id(),
            order: order.clone(),
            coin: order.coin,
            expected: 0,
            prices: self.model.prices,
            initiated_at: now,
            requested_at: now,
            quotes: Vec::new(),
            addresses: Vec::new(),
            deposits: Vec::new(),
            given_back: Vec::new(),
            first_refund: None,
        });
        self.choose(number, order.coin).await.unwrap();
    }

    async fn choose(&mut self, payment: usize, coin: usize) -> Result<(), String> {
        let (now, prices, jumps) = (self.model.now, self.model.prices, self.model.scene.jumps);
        let payment = &mut self.model.payments[payment];
        let coin = if payment.order.in_crypto { payment.order.coin } else { coin };
        // Several amounts of one coin have a test of their own, `shown_quotes.rs`.
        let is_known = payment.quotes.iter().any(|quote| quote.coin == coin);
        if jumps && is_known && payment.fixed_quote(coin, now).is_none() {
            return Ok(());
        }
        let (code, network) = (COINS[coin].code, COINS[coin].network.code());
        let path = format!("/api/v1/payments/{}", payment.id);
        let choice = json!({"depositCurrency": code, "network": network});
        let answer = self.world.call(Method::PATCH, &path, Some(&self.world.token), Some(&choice)).await;
        if !payment.order.reusable && payment.deposits.iter().any(super::model::Deposit::stands) {
            self.model.counts.refused_choices += 1;
            return if answer.status == 409 { Ok(()) } else { Err(format!("not refused: {answer:?}")) };
        }
        if answer.status != 200 {
            return Err(format!("refused: {}", answer.json));
        }
        let json = &answer.json["paymentInfo"];
        let text = |name: &str| json[name].as_str().map(str::to_owned);
        let expected = COINS[coin].atoms(json["expectedDepositAmount"].as_str().unwrap());
        let quote = match payment.fixed_quote(coin, now) {
            Some(known) if known.expected != expected => return Err(format!("another quote: {json:#}")),
            Some(known) => known.clone(),
            None => {
                let new = Quote { coin, expected, requested_at: now, prices };
                payment.quotes.push(new.clone());
                new
            }
        };
        if json["paymentRequestedAt"] != json!(quote.requested_at) {
            return Err(format!("a quote of another time: {json:#}"));
        }
        (payment.coin, payment.expected, payment.requested_at) = (coin, expected, quote.requested_at);
        payment.prices = quote.prices;
        let place = (coin, text("walletAddress").unwrap(), text("destinationTag"));
        match payment.addresses.iter().find(|(known, ..)| *known == coin) {
            Some(known) if *known != place => Err(format!("another address: {json:#}")),
            Some(_) => Ok(()),
            None => {
                payment.addresses.push(place);
                Ok(())
            }
        }
    }

    /// The chain was read and due payouts sent. As its workers do, the gateway then asks every chain what is final, and sends the rest.
    pub(super) async fn watched(&mut self, coin: usize) {
        self.check_finality().await;
        let shallow = self.shallow().await;
        pay_out::run(&self.world.app).await.unwrap();
        self.model.read_chain(coin);
        self.model.pays_out_without(shallow);
    }

    async fn step(mut self, number: usize, step: &Step) -> Result<Self, String> {
        match step {
            Step::Pay { .. } => self.pay(step).await,
            Step::Mine { coin, watched } => {
                let network = COINS[*coin].network;
                if *watched {
                    self.world.mine(network.code()).await;
                } else {
                    let sandbox = &self.world.simulated;
                    sandbox.simulator.mine(network, 1).await.unwrap();
                }
                self.model.mine(*coin, 1);
                self.model.counts.blocks += 1;
                if *watched {
                    self.watched(*coin).await;
                }
            }
            Step::Reorganise { coin, depth, watched } => {
                let (network, depth) = (COINS[*coin].network, self.model.possible_depth(*coin, *depth));
                if depth == 0 {
                    return Ok(self);
                }
                if *watched {
                    self.world.sandbox("reorgs", json!({"network": network.code(), "depth": depth})).await;
                } else {
                    let sandbox = &self.world.simulated;
                    sandbox.simulator.reorganise(network, depth).await.unwrap();
                }
                self.model.reorganise(*coin, depth);
                self.model.counts.reorganisations += 1;
                if *watched {
                    self.watched(*coin).await;
                }
            }
            Step::Drop { transfer, watched } if !self.model.transfers.is_empty() => {
                let at = transfer % self.model.transfers.len();
                if self.model.stays(at) {
                    return Ok(self);
                }
                let (id, coin) = (self.model.transfers[at].id.clone(), self.model.transfers[at].coin);
                if *watched {
                    self.world.sandbox("drops", json!({"transactionId": id})).await;
                } else {
                    let sandbox = &self.world.simulated;
                    sandbox.simulator.drop_transfer(&id).await.unwrap();
                }
                self.model.drop_transfer(at);
                self.model.counts.drops += 1;
                if *watched {
                    self.watched(coin).await;
                }
            }
            Step::Drop { .. } => {}
            Step::DropPayout { payout, watched } => self.drop_payout(*payout, *watched).await,
            Step::ReadOnly { coin } => {
                record_transfers::catch_up(&self.world.app, COINS[*coin].network).await.unwrap();
                self.model.read_chain(*coin);
            }
            Step::Crash { coin, polls } => {
                let (app, network) = (Arc::clone(&self.world.app), COINS[*coin].network);
                let work = async || {
                    record_transfers::catch_up(&app, network).await.unwrap();
                    pay_out::run(&app).await.unwrap();
                };
                let lived = Box::pin(dying(Some(*polls), work())).await.is_some();
                self.model.counts.crashes += u64::from(!lived);
                self = self.restart().await;
                record_transfers::catch_up(&self.world.app, network).await.unwrap();
                pay_out::run(&self.world.app).await.unwrap();
                self.watched(*coin).await;
            }
            Step::Replay { coin } if self.model.lags[*coin] > 0 => {}
            Step::Replay { coin } => {
                let network = COINS[*coin].network;
                let mut tx = self.world.app.store.begin().await.unwrap();
                tx.put_cursor(network, "0").await.unwrap();
                tx.commit().await.unwrap();
                record_transfers::catch_up(&self.world.app, network).await.unwrap();
                self.model.forget_moves(*coin);
                self.model.read_chain(*coin);
                self.model.counts.replays += 1;
            }
            Step::Clock { seconds } => {
                self.world.advance(*seconds).await;
                self.model.now += seconds;
            }
            Step::Restart => self = self.restart().await,
            Step::PostAgain { payment } => {
                let at = payment % self.model.payments.len();
                let (payment, order) = (&self.model.payments[at], &self.model.payments[at].order);
                let again = self.world.post("/api/v1/payments", &self.world.token, &body(at, order)).await;
                if again.status != 200 || again.payment_id() != payment.id {
                    return Err(format!("another answer: {}", again.json));
                }
            }
            Step::Choose { payment, coin } => {
                self.choose(payment % self.model.payments.len(), *coin).await?;
            }
            Step::Withdraw { .. } => return self.withdraw(number, step).await,
            Step::Refund { .. } => return Box::pin(self.refund(number, step)).await,
            Step::Deliver { answers, dies } => return self.deliver(*answers, *dies).await,
            Step::Flag { coin, person, flagged } => self.flag(*coin, *person, *flagged).await,
            Step::Silence { silent } => self.silence(*silent),
            Step::ExecuteAgain { .. } => self.execute_again(step).await,
            Step::Lag { coin, blocks } => self.lag(*coin, *blocks).await,
            Step::LoseFields { transfer } => self.lose_fields(*transfer).await,
            Step::FindFields => self.find_fields().await,
            Step::Fee { coin, is_dear } => self.ask_fee(*coin, *is_dear).await,
            Step::Jump { coin, quarters } => self.jump(*coin, *quarters).await,
            Step::Screen { dies_after } => return self.screen(*dies_after).await,
            Step::Claim { deposit } => self.claim(*deposit).await?,
            Step::Decide { deposit, release, dies_after } => {
                return Box::pin(self.decide(*deposit, *release, *dies_after)).await;
            }
        }
        Ok(self)
    }

    /// The network drops a payout that is not final yet.
    async fn drop_payout(&mut self, payout: usize, watched: bool) {
        let sent = self.world.database.texts(
            "SELECT transaction_id, network FROM payouts WHERE state IN ('SENT', 'CONFIRMED') ORDER BY id",
        );
        let sent = sent.await;
        let Some(row) = sent.get(payout % sent.len().max(1)) else { return };
        let [id, network] = [0, 1].map(|column| row[column].clone().unwrap());
        self.model.counts.forgotten += 1;
        if watched {
            self.world.sandbox("drops", json!({"transactionId": id})).await;
            let coin = COINS.iter().position(|coin| coin.network.code() == network);
            self.watched(coin.expect("payouts are of the coins of the model")).await;
        } else {
            let sandbox = &self.world.simulated;
            sandbox.simulator.drop_transfer(&id).await.unwrap();
        }
    }

    /// Mines enough blocks to make everything pending final.
    async fn bury(&mut self, coin: usize) {
        let (network, count) = (COINS[coin].network.code(), self.model.scene.finality);
        self.world.sandbox("blocks", json!({"network": network, "count": count})).await;
        self.model.mine(coin, u64::from(count));
        self.watched(coin).await;
    }

    async fn withdraw(mut self, number: usize, step: &Step) -> Result<Self, String> {
        let Step::Withdraw { coin, to, from_crypto, tenths, dies_after } = step else { return Ok(self) };
        let (coin, to, from_crypto, dies_after) = (*coin, *to, *from_crypto, *dies_after);
        let atoms = COINS[coin].least / 10 * u128::from(*tenths);
        let id = format!("withdrawal-{number}");
        let fields = json!({
            "clientWithdrawalId": id, "withdrawCurrency": COINS[coin].code, "network": COINS[coin].network.code(),
            "recipientAddress": COINS[coin].people[to], "targetAmount": COINS[coin].text(atoms),
            "withdrawalAccount": if from_crypto { "CRYPTO" } else { "FIAT" },
        });
        self.check_finality().await;
        let (charge, covered) = self.model.charge(coin, atoms, from_crypto);
        if dies_after.is_some() {
            let lived = dying(dies_after, self.world.withdraw(fields.clone())).await.is_some();
            self.model.counts.crashes += u64::from(!lived);
            self = self.restart().await;
        }
        let answer = self.world.withdraw(fields).await;
        let made = answer.status == 201 || answer.status == 200;
        if made != covered.or(made) {
            return Err(format!("covered: {covered:?}, but {}", answer.json));
        }
        if made {
            let (sent, blocked, told) = (false, false, Hearing::default());
            let (refund_of, screened) = (None, false);
            let new = Withdrawal {
                id,
                refund_of,
                given_back: None,
                screened,
                coin,
                from_crypto,
                atoms,
                charge,
                to,
                sent,
                blocked,
                told,
            };
            self.model.withdrawals.push(new);
        } else {
            self.model.counts.refused += 1;
        }
        Ok(self)
    }

    /// Confirms all transfers and delivers all callbacks; afterwards everything must be reported.
    async fn end(mut self) -> Result<Counts, String> {
        self.silence(false);
        self.calm().await;
        self = Box::pin(self.decide_all()).await?;
        // First the deposits, then their refunds.
        for coin in (0..COINS.len()).chain(0..COINS.len()) {
            self.bury(coin).await;
            check::all(&self.world, &self.model).await?;
        }
        pay_out::run(&self.world.app).await.unwrap();
        self.cancel_refunds().await?;
        // What was in excess beside them goes back now.
        for coin in 0..COINS.len() {
            self.bury(coin).await;
        }
        loop {
            let told = self.model.counts.callbacks;
            self.world.advance(200_000).await;
            self.model.now += 200_000;
            self = self.deliver(0, None).await?;
            if self.model.counts.callbacks == told {
                break;
            }
        }
        check::all(&self.world, &self.model).await?;
        check::books(&self.world, &self.model).await?;
        let deposits = self.model.payments.iter().flat_map(|payment| &payment.deposits);
        for deposit in deposits {
            let impossible = deposit.refund.as_ref().is_some_and(|refund| !refund.possible);
            self.model.counts.unrefundable += u64::from(impossible);
            let id = &self.model.transfers[deposit.transfer].id;
            if deposit.counts() && !deposit.told.is_told() {
                return Err(format!("no callback for {id}"));
            }
        }
        if let Some(untold) = self.model.withdrawals.iter().find(|one| !one.told.is_told()) {
            return Err(format!("no callback for {}", untold.id));
        }
        Ok(self.model.counts)
    }
}
