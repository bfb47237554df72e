//! Plays a story: each act in its turn.

mod arrive;
mod payer;

use std::collections::BTreeMap;
use std::mem::take;

use checkout_domain::callback::Outcome;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials;
use checkout_simulator::world;
use reqwest::Method;
use serde_json::{Value, json};

use super::grade::Graded;
use super::messages::Message;
use super::shop::Shop;
use super::stage::Stage;
use super::stories::{Act, Coin, Story};
use super::wire::Fate;

const DAY: u64 = 86_400;

/// The statuses of a payment that is paid.
const PAID: [&str; 2] = ["DEPOSITED", "OVERPAID"];

/// The order of a story.
#[derive(Clone, Debug, Default)]
struct Order {
    client_id: String,
    payment: String,
    /// The quotes that the payer was shown.
    quotes: BTreeMap<Coin, Value>,
    /// The last transfer.
    transfer: String,
}

pub(super) struct Player {
    stage: Stage,
    shop: Shop,
    url: String,
    /// That of the shop.
    secret: String,
    order: Order,
    /// How many orders the rehearsal created.
    created: usize,
    /// The faults of the shop in this story.
    objections: Vec<String>,
}

impl Player {
    pub(super) fn new(stage: Stage, shop: Shop, url: String, secret: String) -> Self {
        Self { stage, shop, url, secret, order: Order::default(), created: 0, objections: Vec::new() }
    }

    pub(super) fn gateway_url(&self) -> &str {
        &self.stage.app().public_url
    }

    pub(super) async fn play(&mut self, story: &'static Story) -> Graded {
        let mut played = Ok(());
        for act in story.acts {
            played = self.act(*act).await;
            if played.is_err() {
                break;
            }
        }
        Graded::new(story, played, take(&mut self.objections), self.shop.urls.status.is_some())
    }

    /// An error is why the story cannot go on; what the shop does wrong is an objection.
    async fn act(&mut self, act: Act) -> Result<(), String> {
        match act {
            Act::Order => self.open_order().await?,
            Act::ForeignOrder => self.create_order("another-shop").await?,
            Act::Choose(coin) => self.choose(coin).await.map(drop)?,
            Act::Send(coin, percent) => self.send(coin, percent).await?,
            Act::Mine(coin) => {
                world::mine(&self.stage.world, coin.network(), 1).await.map_err(payer::failed)?;
            }
            Act::Reorganise(coin) => {
                world::reorganise(&self.stage.world, coin.network(), 1).await.map_err(payer::failed)?;
            }
            Act::DoubleSpend => {
                let dropped = world::drop_transfer(&self.stage.world, &self.order.transfer).await;
                dropped.map_err(payer::failed)?;
            }
            Act::WindowEnds => self.end_window().await?,
            Act::Flag => self.flag(true).await?,
            Act::Release => self.release().await?,
            Act::Rotate => {
                let (app, business) = (self.stage.app(), self.stage.business);
                let now = app.clock.now();
                let rotated =
                    credentials::rotate_secret(app.store.as_ref(), business, now, DAY, &OsRandom).await;
                rotated.map_err(|error| error.to_string())?;
            }
            Act::Deliver => self.deliver([]).await?,
            Act::Silence => {
                let sent = self.stage.dispatch().await?;
                if sent > 0 {
                    return Err(format!("the gateway sent {sent} callbacks"));
                }
            }
            Act::LoseFirst => {
                self.deliver([Fate::RequestLost]).await?;
                self.stage.wait_for_retry(&self.order.payment).await?;
                self.deliver([]).await?;
            }
            Act::LoseAnswers(attempts) => {
                for _ in 1..attempts {
                    self.deliver([Fate::AnswerLost]).await?;
                    self.stage.wait_for_retry(&self.order.payment).await?;
                }
                self.deliver([]).await?;
            }
            Act::Take => self.deliver([Fate::Stays; 10]).await?,
            Act::Arrive => self.arrive(self.taken()).await,
            Act::ArriveReversed => {
                let mut messages = self.taken();
                messages.reverse();
                self.arrive(messages).await;
            }
            Act::ArriveExtended => {
                let extended =
                    |message: Message| Message::signed(message.id(), message.extended(), &self.secret, 0);
                let messages = self.taken().into_iter().map(extended).collect();
                self.arrive(messages).await;
            }
            Act::ArriveUnknown => {
                let id = self.stage.app().new_id().to_string();
                let event = Message::signed(&id, self.unknown_event(), &self.secret, 0);
                self.arrive(vec![event]).await;
            }
            Act::ArriveAtOnce(times) => self.arrive_at_once(times).await,
            Act::ArriveBesideSlow => self.arrive_beside_slow().await?,
            Act::Forge(forgery) => self.forge(forgery).await?,
            Act::Paid => self.expect(true).await?,
            Act::Unpaid => self.expect(false).await?,
        }
        Ok(())
    }

    /// In the shape of typed events.
    fn unknown_event(&self) -> String {
        json!({
            "type": "rehearsal.happened", "timestamp": self.stage.app().clock.now(), "sequence": 1,
            "businessId": self.stage.business.to_string(), "data": {"paymentId": self.order.payment},
        })
        .to_string()
    }

    /// Opens an order in the shop, which creates its payment; without a URL for that, creates the payment.
    async fn open_order(&mut self) -> Result<(), String> {
        let Some(url) = self.shop.urls.order.clone() else {
            self.created += 1;
            let id = format!("{}{}", self.shop.urls.order_prefix, self.created);
            return self.create_order(&id).await;
        };
        let before = self.newest().await?;
        self.shop.open_order(&url).await?;
        let after = self.newest().await?;
        if after["paymentId"] == before["paymentId"] {
            return Err(format!("the order at {url} created no payment at {}", self.gateway_url()));
        }
        self.begin(&after);
        Ok(())
    }

    async fn newest(&self) -> Result<Value, String> {
        let found = self.stage.call(Method::GET, "payments?limit=1", &Value::Null).await?;
        Ok(found[0].clone())
    }

    async fn create_order(&mut self, id: &str) -> Result<(), String> {
        let body = json!({
            "clientPaymentId": id, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "25.00",
        });
        let created = self.stage.call(Method::POST, "payments", &body).await?;
        self.begin(&created["paymentInfo"]);
        Ok(())
    }

    fn begin(&mut self, payment: &Value) {
        let text = |name: &str| payment[name].as_str().unwrap_or_default().to_owned();
        self.order =
            Order { client_id: text("clientPaymentId"), payment: text("paymentId"), ..Order::default() };
        self.stage.wire.begin(&self.order.payment);
    }

    /// Lets the gateway send what is due.
    async fn deliver(&mut self, fates: impl IntoIterator<Item = Fate>) -> Result<(), String> {
        self.stage.wire.set(fates);
        let sent = self.stage.dispatch().await?;
        for outcome in self.stage.wire.answers() {
            self.judge(&outcome);
        }
        if sent == 0 { Err("the gateway sent no callback".to_owned()) } else { Ok(()) }
    }

    /// A callback of the gateway is answered with 2xx.
    fn judge(&mut self, outcome: &Outcome) {
        let objection = match outcome {
            outcome if outcome.is_success() => return,
            Outcome::Answered { status } => format!("a callback of the gateway was answered with {status}"),
            Outcome::Unanswered { reason } => format!("a callback of the gateway was not answered: {reason}"),
        };
        if !self.objections.contains(&objection) {
            self.objections.push(objection);
        }
    }

    async fn expect(&mut self, paid: bool) -> Result<(), String> {
        let path = format!("payments/{}", self.order.payment);
        let payment = self.stage.call(Method::GET, &path, &Value::Null).await?;
        let status = payment["status"].as_str().unwrap_or_default();
        if PAID.contains(&status) != paid {
            return Err(format!("the payment is {status} at the gateway"));
        }
        if let Some(objection) = self.shop.objection(&self.order.client_id, paid).await {
            self.objections.push(format!("{objection}; the gateway says {status}"));
        }
        Ok(())
    }
}
