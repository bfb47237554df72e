//! The tables of both stores, from the same numbered files.

use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Every migration, in order. What was released is never edited: a new file is added.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "payments", include_str!("../../../migrations/0001_payments.sql")),
    (2, "sandbox", include_str!("../../../migrations/0002_sandbox.sql")),
    (3, "money", include_str!("../../../migrations/0003_money.sql")),
    (4, "callbacks", include_str!("../../../migrations/0004_callbacks.sql")),
    (5, "credentials", include_str!("../../../migrations/0005_credentials.sql")),
    (6, "console", include_str!("../../../migrations/0006_console.sql")),
    (7, "finality", include_str!("../../../migrations/0007_finality.sql")),
    (8, "screening", include_str!("../../../migrations/0008_screening.sql")),
];

pub(crate) fn sqlite() -> Migrator {
    migrator(str::to_owned)
}

/// SQLite compares texts byte by byte; so does PostgreSQL with the collation "C", whatever that of its database.
pub(crate) fn postgres() -> Migrator {
    migrator(|sql| sql.replace(" TEXT", " TEXT COLLATE \"C\""))
}

fn migrator(dialect: impl Fn(&str) -> String) -> Migrator {
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
