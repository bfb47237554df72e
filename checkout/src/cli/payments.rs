//! `checkout payments`: shows a payment.

use std::process::ExitCode;

use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::{Clock as _, Store as _};
use checkout_gateway::render::payment as render;
use clap::{Args, Subcommand};
use serde_json::json;

use super::DATABASE;
use super::{Outcome, answer, block_on, clock, failed, open_existing};

#[derive(Debug, Subcommand)]
pub(super) enum Payments {
    /// Shows a payment, also one of the archive, as JSON.
    Show(Show),
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

impl Payments {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Show(show) => block_on(show.run()),
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
        let is_archived = database.is_archived(record.payment.id).await.map_err(failed)?;
        let now = clock(&database).await?.now();
        let shown = json!({"archived": is_archived, "paymentInfo": render::whole(&record, now)});
        answer(&shown.to_string())?;
        Ok(ExitCode::SUCCESS)
    }
}
