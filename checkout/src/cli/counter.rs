//! `checkout counter`: pages on which somebody at a shop types an amount, by a link that is a secret.

use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::ports::sales::CounterStore as _;
use checkout_domain::sale::counter::Counter;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::http::counters::manage_counters::read;
use checkout_gateway::http::requests::fields::Fields;
use checkout_gateway::http::requests::names::Names;
use checkout_gateway::render::counter::{counter, counter_url};
use checkout_gateway::service::refused::Refused;
use checkout_gateway::service::sales::counters::{create, withdraw};
use checkout_storage::Database;
use checkout_wire::counters::{CreateCounter, CreatedCounter};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::database_args::DatabaseArgs;
use super::link::{Place, sentences};
use super::{Outcome, block_on, clock, failed, new_id};

#[derive(Debug, Subcommand)]
pub(super) enum Counters {
    /// Creates a counter and prints its link, which is shown once.
    Create(CreateArgs),
    /// Lists the counters of a business, newest first.
    List(ListCounters),
    /// Withdraws a counter: its link is worth nothing any more.
    Withdraw(Withdraw),
}

#[derive(Debug, Args)]
pub(super) struct CreateArgs {
    /// The business that sells.
    #[arg(long, value_name = "ID")]
    business: BusinessId,
    /// What you call it, such as "Market stall".
    #[arg(long)]
    title: String,
    /// Fiat currency of its sales.
    #[arg(long, default_value = "EUR")]
    currency: String,
    /// The highest amount of one sale.
    #[arg(long)]
    max: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct ListCounters {
    /// The business that sells.
    #[arg(long, value_name = "ID")]
    business: BusinessId,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Withdraw {
    /// The counter.
    id: Uuid,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Counters {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Create(create) => block_on(create.run()),
            Self::List(list) => block_on(list.run()),
            Self::Withdraw(withdraw) => block_on(withdraw.run()),
        }
    }
}

fn json(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("a counter of texts and numbers is JSON")
}

impl CreateArgs {
    async fn run(self) -> Outcome {
        let database = self.place.args.open().await?;
        let now = clock(&database).await?.now();
        // As the body of the API, so that the same rules read it.
        let body = json!({"title": self.title, "displayCurrency": self.currency, "maxAmount": self.max});
        let fields = Fields::parse(body.to_string().as_bytes(), Names::of::<CreateCounter>());
        let fields = fields.map_err(|_| "The arguments cannot be read.".to_owned())?;
        let new = fields.read(read).map_err(sentences)?;
        let business = database.business(self.business).await.map_err(failed)?;
        let business = business.ok_or_else(|| format!("There is no business {}.", self.business))?;
        let made = create(&database, &business, new, new_id(now), now, &OsRandom).await;
        database.close().await;
        let (made, secret) = made.map_err(|refused| match refused {
            Refused::Store(error) => failed(error),
            Refused::Invalid(errors) => sentences(errors),
            _ => "The business is disabled.".to_owned(),
        })?;
        let url = counter_url(self.place.url(), &secret);
        let made = CreatedCounter { counter: counter(&made), url: url.clone().into() };
        self.place.args.say(&json(&made), &url)
    }
}

impl ListCounters {
    async fn run(self) -> Outcome {
        let page = Page { after: None, before: None, descending: true, limit: self.limit };
        let business = self.business;
        let found =
            self.args.on(async |database: &Database, _| database.counters(business, &page).await).await?;
        let row = |found: &Counter| {
            let state = if found.withdrawn_at.is_some() { "WITHDRAWN" } else { "OPEN" };
            let max = format!("up to {} {}", found.fiat.text(found.max), found.fiat.code());
            vec![found.id.to_string(), state.to_owned(), max, found.title.clone()]
        };
        self.args.list(&found, |found| json(&counter(found)), row, &[])
    }
}

impl Withdraw {
    async fn run(self) -> Outcome {
        let withdraw = async |database: &Database, now| withdraw(database, self.id, |_| true, now).await;
        let Some(found) = self.args.on(withdraw).await? else {
            return Err(format!("There is no counter {}.", self.id));
        };
        self.args.say(&json(&counter(&found)), "Its link is worth nothing any more.")
    }
}
