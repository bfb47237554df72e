//! `checkout serve`: starts the gateway.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use checkout_gateway::adapters::http_sender::Reach;
use checkout_gateway::core_dumps;
use clap::{Args, ValueEnum};

use super::business::{link, origin};
use super::{DATABASE, SECRET_KEYS};
use super::{Outcome, answer, block_on, open_when_ready};
use crate::assemble::ServeSettings;
use crate::config::{ConfigFile, DEFAULT_LISTEN};
use crate::mail::MailFile;
use crate::serve;

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Address and port to listen on; port 0 picks a free port [default: 127.0.0.1:8080].
    #[arg(long, env = "CHECKOUT_LISTEN")]
    listen: Option<SocketAddr>,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Configuration file, in TOML.
    #[arg(long, env = "CHECKOUT_CONFIG")]
    config: Option<PathBuf>,
    /// URL of the gateway for browsers [default: the listen address].
    #[arg(long, env = "CHECKOUT_PUBLIC_URL")]
    public_url: Option<String>,
    /// Simulated chains, fixed rates and a control API. No real money.
    #[arg(long)]
    sandbox: bool,
    /// Address of the demo shop. Needs --sandbox.
    #[arg(long, requires = "sandbox", value_name = "ADDR")]
    shop: Option<SocketAddr>,
    /// Folder of the checkout as static files, which the demo shop serves as another way to pay. Needs --shop.
    #[arg(long, requires = "shop", value_name = "FOLDER")]
    kit: Option<PathBuf>,
    /// Deposit callback URL of the sandbox's business [default: the inbox of the sandbox]. Needs --sandbox.
    #[arg(long, requires = "sandbox", value_name = "URL", value_parser = link)]
    deposit_callback: Option<String>,
    /// Withdrawal callback URL of the sandbox's business [default: the inbox of the sandbox]. Needs --sandbox.
    #[arg(long, requires = "sandbox", value_name = "URL", value_parser = link)]
    withdrawal_callback: Option<String>,
    /// An origin that may embed the checkout of the sandbox's business, such as http://localhost:3000.
    /// Repeatable. Needs --sandbox.
    #[arg(long = "origin", requires = "sandbox", value_name = "ORIGIN", value_parser = origin)]
    origins: Vec<String>,
    /// Listen address for /metrics (Prometheus), which serves nothing else.
    #[arg(long, env = "CHECKOUT_METRICS", value_name = "ADDR")]
    metrics: Option<SocketAddr>,
    /// Server that takes mails: smtps://USER@HOST[:PORT], or smtp://USER@HOST[:PORT]?tls=required for STARTTLS. The password is in
    /// CHECKOUT_SMTP_PASSWORD, or in a file that the configuration file names.
    #[arg(long, env = "CHECKOUT_SMTP", value_name = "URL")]
    smtp: Option<String>,
    /// Sender of mails, such as "Kettle & Co <shop@kettle.example>".
    #[arg(long, env = "CHECKOUT_MAIL_FROM", value_name = "SENDER")]
    mail_from: Option<String>,
    /// E-mail address of an operator who is told what waits for a person. Repeatable.
    #[arg(long, env = "CHECKOUT_NOTICES_TO", value_name = "ADDRESS", value_delimiter = ',')]
    notices_to: Vec<String>,
    /// URL of the exchange rate feed, such as https://rates.example/all.
    #[arg(long, env = "CHECKOUT_RATES_URL", value_name = "URL", conflicts_with = "sandbox")]
    rates_url: Option<String>,
    /// File with the keys that seal the secrets in the database: 64 hexadecimal digits a line, the newest first.
    #[arg(long, env = SECRET_KEYS, value_name = "FILE")]
    secret_keys: Option<PathBuf>,
    /// Format of log lines.
    #[arg(long, env = "CHECKOUT_LOG_FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    /// One JSON object per line.
    Json,
}

impl Serve {
    pub(super) fn run(self) -> Outcome {
        start_log(self.log_format);
        core_dumps::forbid();
        let file = match &self.config {
            Some(path) => ConfigFile::read(path)?,
            None => ConfigFile::default(),
        };
        let sources = file.sources()?;
        if self.sandbox && !sources.is_empty() {
            return Err(
                "--sandbox simulates all chains: remove [chains] from the configuration file.".to_owned()
            );
        }
        let mail = MailFile {
            smtp: self.smtp.or_else(|| file.mail.smtp.clone()),
            from: self.mail_from.or_else(|| file.mail.from.clone()),
            notices_to: if self.notices_to.is_empty() {
                file.mail.notices_to.clone()
            } else {
                self.notices_to
            },
            ..file.mail.clone()
        };
        let default = || DEFAULT_LISTEN.parse().expect("the default is an address");
        let settings = ServeSettings {
            listen: self.listen.or(file.listen).unwrap_or_else(default),
            public_url: self.public_url.or_else(|| file.public_url.clone()),
            shop: self.shop,
            kit: self.kit,
            origins: self.origins,
            deposit_callback: self.deposit_callback,
            withdrawal_callback: self.withdrawal_callback,
            deposit_keys: file.keys()?,
            confirmations: file.confirmations(self.sandbox)?,
            reach: if file.callbacks.private_addresses { Reach::Anywhere } else { Reach::Public },
            screening: file.screening.clone(),
            policy: file.policy(self.sandbox, &sources)?,
            sources,
            metrics: self.metrics.or(file.metrics),
            desk: file.desk.settings(self.sandbox)?,
            mail: mail.settings()?,
            rates: file.rates(self.rates_url)?,
        };
        let (database, keys) = (self.database.or(file.database), self.secret_keys.or(file.secret_keys));
        block_on(async move {
            let database = open_when_ready(database.as_deref(), keys.as_deref()).await?;
            let sealed = database.seal_secrets().await;
            let sealed = sealed.map_err(|error| format!("The secrets cannot be sealed: {}.", error.0))?;
            if sealed > 0 {
                tracing::info!(sealed, "secrets in the database were sealed");
            }
            serve::serve(settings, database, |ready| {
                answer(&serde_json::to_string(ready).expect("texts are JSON"))
            })
            .await?;
            Ok(ExitCode::SUCCESS)
        })
    }
}

/// Logs to standard error. `CHECKOUT_LOG` sets the level; the default is `info`.
fn start_log(format: LogFormat) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("CHECKOUT_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Fails only if a logger is already installed.
    let _ = match format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}
