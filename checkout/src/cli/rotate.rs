//! `checkout business rotate-token` and `rotate-secret`.

use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Clock as _;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials;
use clap::Args;
use serde_json::json;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, failed};

#[derive(Debug, Args)]
pub(super) struct RotateToken {
    /// The business.
    id: BusinessId,
    /// Scope of the token: payments, withdrawals or read; several times for several. It replaces the tokens with the
    /// same scopes [default: everything; it replaces all tokens].
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<Scope>,
    /// Hours for which the replaced tokens stay valid.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=8_760))]
    overlap_hours: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct RotateSecret {
    /// The business.
    id: BusinessId,
    /// Hours for which callbacks also carry a signature with the old secret.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(..=8_760))]
    overlap_hours: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl RotateToken {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            let database = self.args.open().await?;
            let now = clock(&database).await?.now();
            let overlap = u64::from(self.overlap_hours) * 3_600;
            let scopes = Scopes::of(&self.scopes);
            let token = credentials::rotate_token(&database, self.id, scopes, now, overlap, &OsRandom).await;
            database.close().await;
            show(self.id, "token", token.map_err(failed)?, &self.args)
        })
    }
}

impl RotateSecret {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            let database = self.args.open().await?;
            let now = clock(&database).await?.now();
            let overlap = u64::from(self.overlap_hours) * 3_600;
            let secret = credentials::rotate_secret(&database, self.id, now, overlap, &OsRandom).await;
            database.close().await;
            show(self.id, "callbackSecret", secret.map_err(failed)?, &self.args)
        })
    }
}

fn show(id: BusinessId, name: &str, made: Option<String>, args: &DatabaseArgs) -> Outcome {
    let Some(made) = made else { return Err(format!("There is no business {id}.")) };
    args.say(&json!({ name: made }), &made)
}
