//! Migrations of a schema, the same for both databases. Triggers are written separately for each.

use checkout_domain::ports::{StoreError, Stored};
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::{Database, Writer};

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

/// The gateway's own tables.
pub(crate) const GATEWAY: Schema = Schema {
    applied: "_sqlx_migrations",
    migrations: &[
        (1, "payments", Sql::both(include_str!("migrations/0001_payments.sql"))),
        (2, "money", Sql::both(include_str!("migrations/0002_money.sql"))),
        (3, "callbacks", Sql::both(include_str!("migrations/0003_callbacks.sql"))),
        (4, "credentials", Sql::both(include_str!("migrations/0004_credentials.sql"))),
        (5, "finality", Sql::both(include_str!("migrations/0005_finality.sql"))),
        (6, "screening", Sql::both(include_str!("migrations/0006_screening.sql"))),
        (
            7,
            "versions",
            Sql {
                sqlite: include_str!("migrations/0007_versions.sqlite.sql"),
                postgres: include_str!("migrations/0007_versions.postgres.sql"),
            },
        ),
        (8, "quotes", Sql::both(include_str!("migrations/0008_quotes.sql"))),
        (9, "sender_tags", Sql::both(include_str!("migrations/0009_sender_tags.sql"))),
        (10, "support", Sql::both(include_str!("migrations/0010_support.sql"))),
        (11, "holds", Sql::both(include_str!("migrations/0011_holds.sql"))),
        (12, "dust", Sql::both(include_str!("migrations/0012_dust.sql"))),
        (13, "sequences", Sql::both(include_str!("migrations/0013_sequences.sql"))),
        (14, "instant_deposits", Sql::both(include_str!("migrations/0014_instant_deposits.sql"))),
        (15, "free_sequences", Sql::both(include_str!("migrations/0015_free_sequences.sql"))),
        (16, "callback_clock", Sql::both(include_str!("migrations/0016_callback_clock.sql"))),
        (17, "attempts_and_quotes", Sql::both(include_str!("migrations/0017_attempts_and_quotes.sql"))),
        (19, "archive", Sql::both(include_str!("migrations/0019_archive.sql"))),
        (22, "payout_versions", Sql::both(include_str!("migrations/0022_payout_versions.sql"))),
        (23, "recent_quotes", Sql::both(include_str!("migrations/0023_recent_quotes.sql"))),
        (24, "confirmations", Sql::both(include_str!("migrations/0024_confirmations.sql"))),
        (25, "brands", Sql::both(include_str!("migrations/0025_brands.sql"))),
        (26, "scopes", Sql::both(include_str!("migrations/0026_scopes.sql"))),
        (28, "other_senders", Sql::both(include_str!("migrations/0028_other_senders.sql"))),
        (36, "refund_claims", Sql::both(include_str!("migrations/0036_refund_claims.sql"))),
        (37, "withdrawal_rules", Sql::both(include_str!("migrations/0037_withdrawal_rules.sql"))),
        (40, "price_rates", Sql::both(include_str!("migrations/0040_price_rates.sql"))),
        (
            41,
            "deposit_sums",
            Sql {
                sqlite: include_str!("migrations/0041_deposit_sums.sqlite.sql"),
                postgres: include_str!("migrations/0041_deposit_sums.postgres.sql"),
            },
        ),
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
        done.map_err(|error| StoreError(error.into()))
    }
}
