//! Migrations of a schema, the same for both databases. Triggers are written separately for each.

use checkout_domain::ports::{StoreError, Stored};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use crate::{Database, Writer};

/// A migration's SQL for each store.
#[derive(Clone, Copy, Debug)]
pub struct Sql {
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

impl Sql {
    pub const fn both(sql: &'static str) -> Self {
        Self { sqlite: sql, postgres: sql }
    }
}

/// Tables of one owner: the gateway, or the sandbox in the same database.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The table of applied migrations.
    pub applied: &'static str,
    /// Number, name and statements, in order. Never change a released one; add a new one.
    pub migrations: &'static [(i64, &'static str, Sql)],
}

macro_rules! with_triggers {
    ($sql:literal, $triggers:literal) => {
        Sql {
            sqlite: concat!(
                include_str!(concat!("migrations/", $sql, ".sql")),
                include_str!(concat!("migrations/", $triggers, ".sqlite.sql"))
            ),
            postgres: concat!(
                include_str!(concat!("migrations/", $sql, ".sql")),
                include_str!(concat!("migrations/", $triggers, ".postgres.sql"))
            ),
        }
    };
}

/// The gateway's own tables.
pub(crate) const GATEWAY: Schema = Schema {
    applied: "_sqlx_migrations",
    migrations: &[
        (1, "schema", with_triggers!("0001_schema", "0001_triggers")),
        (2, "claims", Sql::both(include_str!("migrations/0002_claims.sql"))),
        (3, "untagged transfers", Sql::both(include_str!("migrations/0003_untagged_transfers.sql"))),
        (4, "daily limit", Sql::both(include_str!("migrations/0004_daily_limit.sql"))),
        (5, "set aside", Sql::both(include_str!("migrations/0005_set_aside.sql"))),
        (6, "depth", Sql::both(include_str!("migrations/0006_depth.sql"))),
        (7, "network fees", Sql::both(include_str!("migrations/0007_network_fees.sql"))),
        (8, "approved", Sql::both(include_str!("migrations/0008_approved.sql"))),
        (9, "two people", Sql::both(include_str!("migrations/0009_two_people.sql"))),
        (10, "accepted", Sql::both(include_str!("migrations/0010_accepted.sql"))),
        (11, "instant", Sql::both(include_str!("migrations/0011_instant.sql"))),
        (
            12,
            "no archive",
            Sql {
                sqlite: include_str!("migrations/0012_no_archive.sqlite.sql"),
                postgres: include_str!("migrations/0012_no_archive.postgres.sql"),
            },
        ),
        (13, "sums", Sql::both(include_str!("migrations/0013_sums.sql"))),
        (14, "valuations", Sql::both(include_str!("migrations/0014_valuations.sql"))),
        (15, "judged", Sql::both(include_str!("migrations/0015_judged.sql"))),
        (16, "pending", Sql::both(include_str!("migrations/0016_pending.sql"))),
        (17, "payouts", with_triggers!("0017_payouts", "0017_triggers")),
        (18, "confirmations", Sql::both(include_str!("migrations/0018_confirmations.sql"))),
        (19, "refund address", Sql::both(include_str!("migrations/0019_refund_address.sql"))),
        (20, "screened", Sql::both(include_str!("migrations/0020_screened.sql"))),
        (21, "kept claim", Sql::both(include_str!("migrations/0021_kept_claim.sql"))),
        (22, "times", Sql::both(include_str!("migrations/0022_times.sql"))),
        (23, "left", Sql::both(include_str!("migrations/0023_left.sql"))),
        (24, "refunds", with_triggers!("0024_refunds", "0024_triggers")),
        (25, "greenfield", Sql::both(include_str!("migrations/0025_greenfield.sql"))),
        (26, "waiting and wallets", Sql::both(include_str!("migrations/0026_waiting_and_wallets.sql"))),
        (27, "mails", Sql::both(include_str!("migrations/0027_mails.sql"))),
        (28, "sale links", Sql::both(include_str!("migrations/0028_sale_links.sql"))),
        (29, "counters", Sql::both(include_str!("migrations/0029_counters.sql"))),
        (30, "occurrences", with_triggers!("0030_occurrences", "0030_triggers")),
        (31, "fewer pages", Sql::both(include_str!("migrations/0031_fewer_pages.sql"))),
        (32, "lasting", Sql::both(include_str!("migrations/0032_lasting.sql"))),
        (33, "booked at", Sql::both(include_str!("migrations/0033_booked_at.sql"))),
        (34, "own wallet", Sql::both(include_str!("migrations/0034_own_wallet.sql"))),
        (35, "made by", Sql::both(include_str!("migrations/0035_made_by.sql"))),
        (36, "unsigned", Sql::both(include_str!("migrations/0036_unsigned.sql"))),
    ],
};

impl Schema {
    pub(crate) fn sqlite(&self) -> Migrator {
        self.migrator(|sql| sql.sqlite.to_owned())
    }

    /// Uses the collation "C" for every text column. It compares byte by byte like SQLite, independent of the
    /// database's own collation.
    pub(crate) fn postgres(&self) -> Migrator {
        self.migrator(|sql| sql.postgres.replace(" TEXT", " TEXT COLLATE \"C\""))
    }

    fn migrator(&self, dialect: impl Fn(&Sql) -> String) -> Migrator {
        let migrations = self.migrations.iter().map(|(version, name, sql)| {
            let sql = sqlx::AssertSqlSafe(dialect(sql));
            Migration::new(
                *version,
                (*name).into(),
                MigrationType::Simple,
                sqlx::SqlSafeStr::into_sql_str(sql),
                false,
            )
        });
        let mut migrator = Migrator::with_migrations(migrations.collect());
        migrator.dangerous_set_table_name(self.applied);
        migrator
    }
}

impl Database {
    /// Creates the tables of a schema, or migrates them.
    pub async fn migrate(&self, schema: &Schema) -> Stored<()> {
        let done = match &self.writer {
            Writer::Sqlite(pool, _) => schema.sqlite().run(pool).await,
            Writer::Postgres(pool) => schema.postgres().run(pool).await,
        };
        done.map_err(|error| match error {
            MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_) => StoreError(
                "the database was made by another version of Crypto Checkout, whose migrations this one does not have".into(),
            ),
            error => StoreError(error.into()),
        })
    }
}
