//! Connections to PostgreSQL that ended since they were used last. Whoever takes one finds out by its first word; then that
//! word was not heard, and can be said again on another connection. A COMMIT is nobody's first word.

use sqlx::PgPool;

/// How often the first word is said.
#[derive(Debug)]
pub(super) struct FirstWord {
    left: u32,
}

impl FirstWord {
    /// As often as there are connections that may be dead, and once more on a new one.
    pub(super) fn on(pool: &PgPool) -> Self {
        Self { left: pool.options().get_max_connections() }
    }

    /// True when it was lost with its connection, and is to be said again.
    pub(super) fn again(&mut self, error: &sqlx::Error) -> bool {
        let is_lost = match error {
            sqlx::Error::Io(_) => true,
            // Ended by an administrator, by a crash, by a shutdown.
            sqlx::Error::Database(error) => {
                matches!(error.code().as_deref(), Some("57P01" | "57P02" | "57P03"))
            }
            _ => false,
        };
        let again = is_lost && self.left > 0;
        self.left = self.left.saturating_sub(1);
        again
    }
}
