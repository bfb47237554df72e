//! `checkout credential`: creates, lists and revokes tokens.

use checkout_domain::access::scope::{Scope, Scopes};
use checkout_domain::access::token::Caller;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::credentials::{Credential as Listed, CredentialStore as _};
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials::{self, Revoked, SHORTEST_HANDLE};
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, failed, open_database, open_existing};

#[derive(Debug, Subcommand)]
pub(super) enum Credential {
    /// Creates a token and prints it once.
    Create(Create),
    /// Lists tokens by their handles; the tokens themselves are not stored.
    List(ListCredentials),
    /// Revokes a token immediately.
    Revoke(Revoke),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    #[command(flatten)]
    whose: Whose,
    /// Scope of the token: payments, withdrawals or read; several times for several [default: everything].
    #[arg(long = "scope", value_name = "SCOPE", conflicts_with = "payment")]
    scopes: Vec<Scope>,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Whose {
    /// Creates a key for all businesses of this gateway.
    #[arg(long)]
    organisation: bool,
    /// Creates a token for this business.
    #[arg(long, value_name = "ID")]
    business: Option<BusinessId>,
    /// Creates a session token for this payment.
    #[arg(long, value_name = "ID")]
    payment: Option<PaymentId>,
}

#[derive(Debug, Args)]
pub(super) struct ListCredentials {
    /// The tokens of one business [default: those of all businesses, and organisation keys].
    #[arg(long, value_name = "ID", conflicts_with = "payment")]
    business: Option<BusinessId>,
    /// The session tokens of one payment.
    #[arg(long, value_name = "ID")]
    payment: Option<PaymentId>,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Revoke {
    /// The handle from the list, or a unique prefix of it.
    handle: String,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Credential {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Create(create) => block_on(create.run()),
            Self::List(list) => block_on(list.run()),
            Self::Revoke(revoke) => block_on(revoke.run()),
        }
    }
}

impl Create {
    async fn run(self) -> Outcome {
        // Only an organisation key can be the first thing in a database.
        let url = self.args.url();
        let database =
            if self.whose.organisation { open_database(url).await? } else { open_existing(url).await? };
        let now = clock(&database).await?.now();
        let caller = match (self.whose.business, self.whose.payment) {
            (Some(business), _) => Caller::Business(business),
            (None, Some(payment)) => Caller::Session { payment },
            (None, None) => Caller::Organisation,
        };
        let made = credentials::create(&database, caller, Scopes::of(&self.scopes), now, &OsRandom).await;
        let made = made.map_err(failed)?;
        database.close().await;
        let Some(token) = made else { return Err("Business or payment not found.".to_owned()) };
        self.args.say(&json!({"token": token}), &token)
    }
}

impl ListCredentials {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let found = match self.payment {
            Some(payment) => database.sessions(payment).await,
            None => database.credentials(self.business).await,
        };
        let row = |one: &Listed| {
            let one = summary(one);
            let text = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
            let end = one["endsAt"].as_u64().map_or_else(String::new, |at| format!("ends {at}"));
            let scopes = one["scopes"].as_array().map_or_else(
                || "everything".to_owned(),
                |scopes| scopes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            );
            vec![text("handle"), text("kind"), text("of"), scopes, end]
        };
        self.args.list(&found.map_err(failed)?, summary, row, &[])
    }
}

impl Revoke {
    async fn run(self) -> Outcome {
        let revoke = async |database: &Database, now| credentials::revoke(database, &self.handle, now).await;
        match self.args.on(revoke).await? {
            Revoked::Done => {
                let done = json!({"handle": self.handle, "revoked": true});
                self.args.say(&done, "Revoked.")
            }
            Revoked::Unknown => Err(format!(
                "No token has the handle {}. A handle has at least {SHORTEST_HANDLE} hexadecimal digits.",
                self.handle
            )),
            Revoked::Ambiguous => Err(format!("Several handles begin with {}.", self.handle)),
        }
    }
}

fn summary(credential: &Listed) -> Value {
    let (kind, of) = match credential.caller {
        Caller::Organisation => ("organisation", None),
        Caller::Business(business) => ("business", Some(business.to_string())),
        Caller::Session { payment } => ("session", Some(payment.to_string())),
    };
    json!({
        "handle": credential.token.handle(),
        "kind": kind,
        "of": of,
        "scopes": credential.scopes.list().map(|scopes| scopes.into_iter().map(Scope::as_str).collect::<Vec<_>>()),
        "createdAt": credential.created_at,
        "endsAt": credential.ends_at,
    })
}
