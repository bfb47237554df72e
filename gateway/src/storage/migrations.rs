//! The schema of both databases, from the same numbered migrations. Triggers are written separately for each.

use sqlx::migrate::{Migration, MigrationType, Migrator};

/// A migration's SQL for each store.
struct Sql {
    sqlite: &'static str,
    postgres: &'static str,
}

const fn both(sql: &'static str) -> Sql {
    Sql { sqlite: sql, postgres: sql }
}

/// All migrations, in order. Never change a released file; add a new one.
const MIGRATIONS: &[(i64, &str, Sql)] = &[
    (1, "payments", both(include_str!("migrations/0001_payments.sql"))),
    (2, "sandbox", both(include_str!("migrations/0002_sandbox.sql"))),
    (3, "money", both(include_str!("migrations/0003_money.sql"))),
    (4, "callbacks", both(include_str!("migrations/0004_callbacks.sql"))),
    (5, "credentials", both(include_str!("migrations/0005_credentials.sql"))),
    (6, "console", both(include_str!("migrations/0006_console.sql"))),
    (7, "finality", both(include_str!("migrations/0007_finality.sql"))),
    (8, "screening", both(include_str!("migrations/0008_screening.sql"))),
    (
        9,
        "versions",
        Sql {
            sqlite: include_str!("migrations/0009_versions.sqlite.sql"),
            postgres: include_str!("migrations/0009_versions.postgres.sql"),
        },
    ),
    (10, "quotes", both(include_str!("migrations/0010_quotes.sql"))),
];

pub(crate) fn sqlite() -> Migrator {
    migrator(|sql| sql.sqlite.to_owned())
}

/// Uses the collation "C" for every text column. It compares byte by byte, as SQLite does, whatever the database's own
/// collation is.
pub(crate) fn postgres() -> Migrator {
    migrator(|sql| sql.postgres.replace(" TEXT", " TEXT COLLATE \"C\""))
}

fn migrator(dialect: impl Fn(&Sql) -> String) -> Migrator {
    let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
        let sql = sqlx::AssertSqlSafe(dialect(sql));
        Migration::new(
            *version,
            (*name).into(),
            MigrationType::Simple,
            sqlx::SqlSafeStr::into_sql_str(sql),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}
