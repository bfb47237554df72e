//! `checkout operator`: the people who use the desk, and what they did.

mod audit;

use std::io::BufRead as _;
use std::process::ExitCode;

use checkout_domain::access::operator::{Name, Operator as Stored, Role};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::ports::operators::OperatorStore as _;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::access::operators::{self, Changes, Means, Setup};
use checkout_gateway::service::access::passwords::{LONGEST, SHORTEST};
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use self::audit::Audit;
use super::database_args::DatabaseArgs;
use super::{Outcome, answer, block_on, clock, failed};

#[derive(Debug, Subcommand)]
pub(super) enum Operator {
    /// Adds an operator and prints once what it takes to sign in.
    Add(Add),
    /// Lists operators.
    List(DatabaseArgs),
    /// Gives an operator another role. Sessions end.
    Role(SetRole),
    /// Locks an operator out immediately. The name stays taken, so that it is one person in the audit log.
    Disable(Named),
    /// Lets a disabled operator in again.
    Enable(Named),
    /// Makes a new password and a new key of one-time codes, and prints them once. Sessions end.
    ResetPassword(Reset),
    /// Shows what was done at the desk, newest first.
    Audit(Audit),
}

#[derive(Debug, Args)]
pub(super) struct Add {
    /// Letters, digits and . _ @ + -; without distinction of case.
    name: Name,
    /// viewer sees everything, support also sends callbacks again and refunds up to a limit, manager does everything.
    #[arg(long)]
    role: Role,
    /// Only this business [default: all].
    #[arg(long, value_name = "ID")]
    business: Option<BusinessId>,
    /// Reads the password from standard input, instead of making one.
    #[arg(long)]
    password_stdin: bool,
    /// Without a password: signs in by the `trusted_header` of your sign-on proxy.
    #[arg(long, conflicts_with = "password_stdin")]
    by_proxy: bool,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct SetRole {
    name: Name,
    role: Role,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Named {
    name: Name,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Reset {
    name: Name,
    /// Reads the password from standard input, instead of making one.
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Operator {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Add(add) => block_on(add.run()),
            Self::List(args) => block_on(list(args)),
            Self::Role(SetRole { name, role, args }) => {
                block_on(change(name, Changes { role: Some(role), ..Changes::default() }, args))
            }
            Self::Disable(Named { name, args }) => {
                block_on(change(name, Changes { is_disabled: Some(true), ..Changes::default() }, args))
            }
            Self::Enable(Named { name, args }) => {
                block_on(change(name, Changes { is_disabled: Some(false), ..Changes::default() }, args))
            }
            Self::ResetPassword(reset) => block_on(reset.run()),
            Self::Audit(audit) => block_on(audit.run()),
        }
    }
}

impl Add {
    async fn run(self) -> Outcome {
        let Self { name, role, business, password_stdin, by_proxy, args } = self;
        let means = if by_proxy { Means::Proxy } else { Means::Password(password(password_stdin)?) };
        let database = args.open().await?;
        if let Some(id) = business
            && database.business(id).await.map_err(failed)?.is_none()
        {
            return Err(format!("There is no business {id}."));
        }
        let created_at = clock(&database).await?.now();
        let id = Uuid::now_v7();
        let operator = Stored { id, name, role, business, is_disabled: false, created_at };
        let made = operators::add(&database, &operator, means, &OsRandom).await.map_err(failed)?;
        database.close().await;
        let Ok(setup) = made else { return Err(format!("The name {} is taken.", operator.name)) };
        show(&operator.name, setup.as_ref(), args.json)
    }
}

impl Reset {
    async fn run(self) -> Outcome {
        let Self { name, password_stdin, args } = self;
        let chosen = password(password_stdin)?;
        let reset =
            async |database: &Database, now| operators::reset(database, &name, chosen, now, &OsRandom).await;
        let setup = args.on(reset).await?;
        show(&name, Some(&setup.ok_or_else(|| unknown(&name))?), args.json)
    }
}

async fn list(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let row = |one: &Stored| {
        let business = one.business.map(|id| id.to_string()).unwrap_or_default();
        let state = if one.is_disabled { "disabled" } else { "" };
        vec![one.name.to_string(), one.role.as_str().to_owned(), business, state.to_owned()]
    };
    args.list(&database.operators().await.map_err(failed)?, summary, row, &[])
}

async fn change(name: Name, changes: Changes, args: DatabaseArgs) -> Outcome {
    let change = async |database: &Database, now| operators::change(database, &name, changes, now).await;
    let found = args.on(change).await?;
    let shown = summary(&found.ok_or_else(|| unknown(&name))?);
    args.say(&shown, "Changed.")
}

fn summary(operator: &Stored) -> Value {
    json!({
        "name": operator.name.as_str(),
        "role": operator.role.as_str(),
        "businessId": operator.business.map(|id| id.to_string()),
        "disabled": operator.is_disabled,
        "createdAt": operator.created_at,
    })
}

fn show(name: &Name, setup: Option<&Setup>, json: bool) -> Outcome {
    let password = setup.and_then(|setup| setup.password.as_deref());
    let link = setup.map(|setup| setup.link.as_str());
    if json {
        answer(&json!({"name": name.as_str(), "password": password, "otpauth": link}).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    answer(&format!("name      {name}"))?;
    if let Some(password) = password {
        answer(&format!("password  {password}"))?;
    }
    match link {
        Some(link) => {
            answer(&format!("codes     {link}"))?;
            answer("Add the link to an authenticator. It is not shown again.")?;
        }
        None => answer("Signs in by the sign-on proxy.")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &Name) -> String {
    format!("There is no operator {name}.")
}

/// The first line of standard input, if it is asked for.
fn password(from_stdin: bool) -> Result<Option<String>, String> {
    if !from_stdin {
        return Ok(None);
    }
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| format!("Standard input cannot be read: {error}."))?;
    let password = line.trim_end_matches(['\r', '\n']).to_owned();
    if !(SHORTEST..=LONGEST).contains(&password.chars().count()) {
        return Err(format!("A password has {SHORTEST} to {LONGEST} characters."));
    }
    Ok(Some(password))
}
