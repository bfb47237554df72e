//! `checkout restore`. A backup is copied into a folder beside its place, checked, prepared and synced there, and gets
//! its name last: a gateway never finds a database that is not prepared.

mod place;
mod search;

pub(super) use self::search::pieces;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use checkout_domain::fail_point;
use checkout_domain::ports::Clock as _;
use checkout_storage::restore::{Inspection, fault_of, folder_of};
use checkout_storage::{Database, postgres, sqlite};
use clap::Args;
use serde_json::{Value, json};

use super::backup::existing;
use super::{
    DATABASE, Outcome, answer, block_on, clock, database_path, failed, open_database, require_existing,
};
use crate::config::ConfigFile;
use crate::manifest::{self, Manifest};
use crate::private_folder::{PrivateFolder, parent};

/// The ending of the folder in which a backup is checked.
const TRIAL: &str = ".checkout-trial";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line")]
pub(super) struct Restore {
    /// A backup of a SQLite database, which becomes the database. Without it, the database is already restored, for
    /// example by pg_restore.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Configuration file, in TOML: names the database, and the nodes that search the blocks since the backup.
    #[arg(long, env = "CHECKOUT_CONFIG")]
    config: Option<PathBuf>,
    /// Checks only and changes nothing.
    #[arg(long, conflicts_with = "replace")]
    check: bool,
    /// Sets an existing database aside, as PATH.replaced-SECONDS.
    #[arg(long, requires = "from")]
    replace: bool,
    /// Takes a backup without its manifest FILE.json: one of an older version, or a copy by another tool.
    #[arg(long, requires = "from")]
    without_manifest: bool,
    /// Number of addresses per network that may have been given out after the backup.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    reserve: u32,
    /// Prints JSON, also of errors.
    #[arg(long)]
    json: bool,
}

/// The result of a restore or a check.
#[derive(Default)]
struct RestoreReport {
    found: Inspection,
    is_ready: bool,
    set_aside: Option<PathBuf>,
}

impl Restore {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            let file = self.config.as_deref().map(ConfigFile::read).transpose()?;
            let url = self.database.clone().or(file.as_ref().and_then(|file| file.database.clone()));
            let report = match &self.from {
                None => self.in_place(url.as_deref()).await?,
                Some(backup) if self.check => self.trial(backup).await?,
                Some(backup) => self.of_backup(backup, url.as_deref()).await?,
            };
            self.tell(&report)?;
            if !report.found.faults.is_empty() {
                return Err(report.found.faults.join("\n"));
            }
            if let Some(file) = file.filter(|_| report.is_ready) {
                search::blocks_since(&file, url.as_deref()).await?;
            }
            Ok(ExitCode::SUCCESS)
        })
    }

    /// Until it is prepared, the database is marked.
    async fn in_place(&self, url: Option<&str>) -> Result<RestoreReport, String> {
        require_existing(url)?;
        if url.is_none_or(|url| !postgres::is_url(url)) {
            let path = database_path(url)?;
            refuse(&path, fault_of(&path, false).await.map_err(failed)?)?;
        }
        let database = open_database(url).await?;
        if !self.check {
            let now = clock(&database).await?.now();
            database.mark_unprepared(now).await.map_err(failed)?;
        }
        let report = self.finish(&database, None).await;
        database.close().await;
        report
    }

    /// Checks a copy: opening a database may migrate its tables.
    async fn trial(&self, backup: &Path) -> Result<RestoreReport, String> {
        let outer = std::env::temp_dir();
        PrivateFolder::sweep(&outer, TRIAL);
        let folder = PrivateFolder::open(&outer.join(format!("{}{TRIAL}", std::process::id())))?;
        self.open_copy(backup, &folder).await
    }

    async fn of_backup(&self, backup: &Path, url: Option<&str>) -> Result<RestoreReport, String> {
        if url.is_some_and(postgres::is_url) {
            return Err("--from is for SQLite. Restore a PostgreSQL database with pg_restore, and then run `checkout restore` \
                        without --from."
                .to_owned());
        }
        let target = database_path(url)?;
        let outer = parent(&target);
        std::fs::create_dir_all(&outer).map_err(|error| format!("{}: {error}.", outer.display()))?;
        let mut folder = PrivateFolder::open(&folder_of(&target))?;
        fail_point::reach("restore");
        let restored = self.restore(backup, &target, &folder).await;
        // Without a database, a gateway would start with an empty one: the mark stays until a restore is done.
        let is_done = restored.as_ref().is_ok_and(|report| report.is_ready);
        if !is_done && !target.exists() {
            folder.keep();
        }
        fail_point::reach("restore");
        restored
    }

    async fn restore(
        &self,
        backup: &Path,
        target: &Path,
        folder: &PrivateFolder,
    ) -> Result<RestoreReport, String> {
        place::check_vacant(target, self.replace)?;
        let mut report = self.open_copy(backup, folder).await?;
        if report.is_ready {
            report.set_aside = place::put(&folder.file("checkout.db"), target).await?;
        }
        Ok(report)
    }

    /// Copies a backup into the folder, checks it there, and prepares it unless `--check` says otherwise.
    async fn open_copy(&self, backup: &Path, folder: &PrivateFolder) -> Result<RestoreReport, String> {
        existing(backup)?;
        let listed = self.manifest(backup)?;
        let copy = folder.file("checkout.db");
        let sum = manifest::copy(backup, &copy).map_err(|error| format!("{}: {error}.", copy.display()))?;
        refuse(backup, listed.as_ref().and_then(|manifest| manifest.fault(&sum)))?;
        refuse(backup, fault_of(&copy, true).await.map_err(failed)?)?;
        fail_point::reach("restore");
        let database = sqlite::open(&copy).await.map_err(failed)?;
        fail_point::reach("restore");
        let report = self.finish(&database, listed.as_ref()).await;
        database.close().await;
        fail_point::reach("restore");
        report
    }

    fn manifest(&self, backup: &Path) -> Result<Option<Manifest>, String> {
        let path = manifest::path_of(backup);
        if !self.without_manifest {
            if !path.exists() {
                return Err(format!(
                    "{} has no manifest {}, so nothing says that it is complete. If an older version or another tool made \
                     it: --without-manifest.",
                    backup.display(),
                    path.display()
                ));
            }
            return Manifest::read(&path).map(Some);
        }
        let mut log = backup.as_os_str().to_owned();
        log.push("-wal");
        let is_logged = std::fs::metadata(Path::new(&log)).is_ok_and(|log| log.len() > 0);
        refuse(
            backup,
            is_logged.then(|| "was copied while it was in use: the end is in its -wal file".into()),
        )?;
        Ok(None)
    }

    async fn finish(&self, database: &Database, listed: Option<&Manifest>) -> Result<RestoreReport, String> {
        let mut found = database.inspect().await.map_err(failed)?;
        found.faults.extend(listed.and_then(|manifest| manifest.fault_in(&found)));
        let is_ready = found.faults.is_empty() && !self.check;
        fail_point::reach("restore");
        if is_ready {
            let now = clock(database).await?.now();
            database.prepare(now, self.reserve).await.map_err(failed)?;
        }
        Ok(RestoreReport { found, is_ready, set_aside: None })
    }

    fn tell(&self, report: &RestoreReport) -> Result<(), String> {
        let RestoreReport { found, is_ready, set_aside } = report;
        if self.json {
            return answer(&self.shown(report).to_string());
        }
        answer(&summary(found))?;
        if !found.unsigned.is_empty() && found.faults.is_empty() {
            answer(&format!(
                "These were not signed when the backup was made, and may have been sent since. A gateway sends them when \
                 their chain shows that they were not; `checkout payouts held` lists the others:\n{}",
                found.unsigned.join("\n")
            ))?;
        }
        if let Some(aside) = set_aside {
            answer(&format!("The old database was set aside as {}.", aside.display()))?;
        }
        if *is_ready {
            answer(&format!(
                "The next {} addresses of each network are skipped. A gateway can start.",
                self.reserve
            ))?;
        }
        Ok(())
    }

    fn shown(&self, RestoreReport { found, is_ready, set_aside }: &RestoreReport) -> Value {
        let mut shown = json!({
            "payments": found.payments,
            "deposits": found.deposits,
            "callbacks": found.callbacks,
            "unsignedPayouts": found.unsigned,
            "faults": found.faults,
            "addressesSkipped": if *is_ready { self.reserve } else { 0 },
        });
        if let Some(aside) = set_aside {
            shown["setAside"] = json!(aside);
        }
        shown
    }
}

fn refuse(file: &Path, fault: Option<String>) -> Result<(), String> {
    fault.map_or(Ok(()), |fault| Err(format!("{} {fault}.", file.display())))
}

fn summary(found: &Inspection) -> String {
    let Inspection { payments, deposits, callbacks, unsigned, .. } = found;
    format!(
        "{payments} payments, {deposits} deposits, {callbacks} callbacks, {} unsigned payouts",
        unsigned.len()
    )
}
