//! `checkout payments`: shows a payment, accepts what it received, or values a deposit.

use std::process::ExitCode;

use checkout_core::{Decimal, decimal};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::acceptance::NotAcceptable;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::{Clock as _, Store as _};
use checkout_gateway::render::payment as render;
use checkout_gateway::service::callbacks::announce_events::EventStamp;
use checkout_gateway::service::payments::accept_payment::{Accepted, accept};
use checkout_gateway::service::transfers::value_deposits::{self, Given};
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::json;
use uuid::Uuid;

use super::DATABASE;
use super::database_args::DatabaseArgs;
use super::{Outcome, answer, block_on, clock, failed, new_id, open_existing};

#[derive(Debug, Subcommand)]
pub(super) enum Payments {
    /// Shows a payment as JSON.
    Show(Show),
    /// Accepts what has arrived as the price: the payment is paid.
    Accept(Accept),
    /// Gives the rate of a deposit that is being valued, because the feed has none.
    Value(GiveRate),
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The payment.
    #[arg(required_unless_present = "client_payment_id")]
    id: Option<PaymentId>,
    /// The merchant's own id of the payment.
    #[arg(long, value_name = "ID", requires = "business", conflicts_with = "id")]
    client_payment_id: Option<String>,
    /// The business of `--client-payment-id`.
    #[arg(long, value_name = "ID")]
    business: Option<BusinessId>,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Accepted for the sake of scripts: the output is always JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Accept {
    /// The payment.
    id: PaymentId,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct GiveRate {
    /// The deposit.
    deposit: Uuid,
    /// EUR per coin.
    #[arg(long, value_name = "EUR", value_parser = rate)]
    rate: Decimal,
    /// The same in the display currency of the payment, if that is not EUR.
    #[arg(long, value_name = "AMOUNT", value_parser = rate)]
    display_rate: Option<Decimal>,
    #[command(flatten)]
    args: DatabaseArgs,
}

fn rate(text: &str) -> Result<Decimal, String> {
    let rate = decimal::parse(text, 12).ok().filter(|rate| !rate.is_zero());
    rate.ok_or_else(|| "not a positive number with at most 12 decimals".to_owned())
}

impl Payments {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Show(show) => block_on(show.run()),
            Self::Accept(accept) => block_on(accept.run()),
            Self::Value(rate) => block_on(rate.run()),
        }
    }
}

impl Show {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let id = match (self.id, self.business, &self.client_payment_id) {
            (Some(id), ..) => Some(id),
            (None, Some(business), Some(client_id)) => {
                let mut tx = database.begin().await.map_err(failed)?;
                let found = tx.payment_by_client_id(business, client_id).await.map_err(failed)?;
                found.map(|(id, _)| id)
            }
            _ => None,
        };
        let found = match id {
            Some(id) => database.payment(id).await.map_err(failed)?,
            None => None,
        };
        let Some(record) = found else { return Err("There is no such payment.".to_owned()) };
        let now = clock(&database).await?.now();
        let shown = json!({"paymentInfo": render::whole(&record, now)});
        answer(&shown.to_string())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Accept {
    async fn run(self) -> Outcome {
        let accept = async |database: &Database, now| {
            let source = EventStamp { new_id: &|| new_id(now), now };
            Ok((accept(database, &source, self.id).await?, now))
        };
        let (accepted, now) = self.args.on(accept).await?;
        let why = match accepted {
            Accepted::Paid(record) => {
                let shown = json!({"paymentInfo": render::whole(&record, now)});
                return self
                    .args
                    .say(&shown, "What has arrived is accepted as the price: the payment is paid.");
            }
            Accepted::NoPayment => "There is no such payment.",
            Accepted::Refused(NotAcceptable::NothingArrived) => {
                "It has no confirmed deposit that is not given back."
            }
            Accepted::Refused(NotAcceptable::Paid) => "It is paid.",
            Accepted::Refused(NotAcceptable::GoingBack) => {
                "Some of what has arrived is asked for or goes back. Refuse or cancel that, or wait until it is done."
            }
        };
        Err(format!("{}: {why}", self.id))
    }
}

impl GiveRate {
    async fn run(self) -> Outcome {
        let (deposit, rates) = (self.deposit, (self.rate, self.display_rate));
        let give = async |database: &Database, now| value_deposits::give(database, now, deposit, rates).await;
        let given = self.args.on(give).await?;
        let why = match given {
            Given::Kept => {
                let shown = json!({"deposit": self.deposit.to_string(), "rate": self.rate.to_string()});
                return self.args.say(&shown, "A running gateway values the deposit at this rate.");
            }
            Given::NoDeposit => "There is no such deposit.",
            Given::Valued => "It has a value.",
            Given::NoDisplayRate => {
                "Its payment has another display currency: name its rate with --display-rate."
            }
        };
        Err(format!("{}: {why}", self.deposit))
    }
}
