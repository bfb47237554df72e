//! `checkout operator audit`

use std::process::ExitCode;

use checkout_domain::access::audit::AuditRecord;
use checkout_domain::page::Page;
use checkout_domain::ports::operators::OperatorStore as _;
use clap::Args;
use serde_json::json;

use crate::cli::database_args::DatabaseArgs;
use crate::cli::{Outcome, answer, failed, table};

#[derive(Debug, Args)]
pub(in crate::cli) struct Audit {
    /// The most entries to show.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Audit {
    pub(super) async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let page = Page { after: None, before: None, descending: true, limit: self.limit };
        let entries = database.audit(&page).await.map_err(failed)?;
        database.close().await;
        if self.args.json {
            for entry in &entries {
                answer(&line(entry))?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let row = |entry: AuditRecord| {
            let AuditRecord { at, operator, client, action, target, outcome, .. } = entry;
            vec![at.to_string(), operator, client, action, target, outcome]
        };
        table::print(entries.into_iter().map(row).collect(), &[])?;
        Ok(ExitCode::SUCCESS)
    }
}

/// One JSON object per line, for a log collector.
fn line(entry: &AuditRecord) -> String {
    json!({
        "id": entry.id.to_string(),
        "at": entry.at,
        "operator": entry.operator,
        "client": entry.client,
        "action": entry.action,
        "target": entry.target,
        "detail": entry.detail,
        "outcome": entry.outcome,
    })
    .to_string()
}
