//! `checkout business rotate-token` and `rotate-secret`.

use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::ids::BusinessId;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials;
use checkout_storage::Database;
use clap::Args;
use serde_json::json;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on};

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
            let (id, scopes, overlap) = (self.id, Scopes::of(&self.scopes), seconds(self.overlap_hours));
            let rotate = async |database: &Database, now| {
                credentials::rotate_token(database, id, scopes, now, overlap, &OsRandom, None).await
            };
            show(id, "token", self.args.on(rotate).await?, &self.args)
        })
    }
}

impl RotateSecret {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            let (id, overlap) = (self.id, seconds(self.overlap_hours));
            let rotate = async |database: &Database, now| {
                credentials::rotate_secret(database, id, now, overlap, &OsRandom).await
            };
            show(id, "callbackSecret", self.args.on(rotate).await?, &self.args)
        })
    }
}

fn seconds(hours: u32) -> u64 {
    u64::from(hours) * 3_600
}

fn show(id: BusinessId, name: &str, made: Option<String>, args: &DatabaseArgs) -> Outcome {
    let Some(made) = made else { return Err(format!("There is no business {id}.")) };
    args.say(&json!({ name: made }), &made)
}
