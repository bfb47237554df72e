//! `checkout backup`.

use std::fs;
use std::path::{Path, PathBuf};

use checkout_domain::ports::Clock as _;
use checkout_storage::{postgres, sqlite};
use clap::Args;
use serde_json::json;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, database_path, failed};
use crate::manifest::{self, Manifest};
use crate::private_folder::{PrivateFolder, parent, sync_folder};

const POSTGRES: &str = "PostgreSQL has tools of its own: pg_dump --format=custom makes a backup, pg_restore reads it into an \
                        empty database; then run `checkout restore` on that one.";

/// The ending of the folder in which a backup is made.
const PARTIAL: &str = ".partial";

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The file to write. It must not exist. Its manifest is FILE.json.
    file: PathBuf,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Backup {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            if self.args.url().is_some_and(postgres::is_url) {
                return Err(POSTGRES.to_owned());
            }
            self.refuse_existing()?;
            let source = existing(&database_path(self.args.url())?)?;
            let manifest = self.write(&source).await?;
            let object = json!({
                "backup": self.file, "manifest": manifest::path_of(&self.file), "database": source,
                "sha256": manifest.sha256(),
            });
            let sentence = format!("{} is a backup of {}.", self.file.display(), source.display());
            self.args.say(&object, &sentence)
        })
    }

    /// Makes both files in a folder beside them, and then gives them their names: the manifest first, so that a
    /// backup always has one.
    async fn write(&self, source: &Path) -> Result<Manifest, String> {
        let at = |path: &Path| {
            let path = path.display().to_string();
            move |error: std::io::Error| format!("{path}: {error}.")
        };
        let outer = parent(&self.file);
        PrivateFolder::sweep(&outer, PARTIAL);
        let mut name = self.file.as_os_str().to_owned();
        name.push(PARTIAL);
        let folder = PrivateFolder::open(Path::new(&name))?;
        let (copy, listed) = (folder.file("checkout.db"), folder.file("manifest.json"));
        let database = sqlite::open(source).await.map_err(failed)?;
        let now = clock(&database).await?.now();
        manifest::create(&copy).map_err(at(&copy))?;
        let copied = database.back_up(&copy, now).await;
        database.close().await;
        let copied = copied.map_err(failed)?.ok_or(POSTGRES)?;
        let manifest = Manifest::new(manifest::sum(&copy).map_err(at(&copy))?, copied, now);
        manifest.write(&listed).map_err(at(&listed))?;
        self.refuse_existing()?;
        fs::rename(&listed, manifest::path_of(&self.file)).map_err(at(&self.file))?;
        fs::rename(&copy, &self.file).map_err(at(&self.file))?;
        sync_folder(&outer).map_err(at(&outer))?;
        Ok(manifest)
    }

    fn refuse_existing(&self) -> Result<(), String> {
        if self.file.exists() { Err(format!("{} exists already.", self.file.display())) } else { Ok(()) }
    }
}

pub(super) fn existing(path: &Path) -> Result<PathBuf, String> {
    if path.is_file() {
        Ok(path.to_owned())
    } else {
        Err(format!("There is no database {}.", path.display()))
    }
}
