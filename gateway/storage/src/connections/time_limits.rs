//! Which time limit an error of a database comes from, for the log.

/// The limit that was hit.
pub(crate) fn hit(error: &sqlx::Error) -> Option<&'static str> {
    match error {
        sqlx::Error::PoolTimedOut => Some("waiting for a connection: 5 s on PostgreSQL, 10 s on SQLite"),
        sqlx::Error::Database(error) => match error.code()?.as_ref() {
            "55P03" => Some("lock_timeout: 10 s"),
            "25P03" => Some("idle_in_transaction_session_timeout: 30 s"),
            "57014" => Some("statement_timeout"),
            "5" => Some("busy_timeout of SQLite: 10 s"),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::failed;

    #[test]
    fn the_log_says_which_limit_was_hit() {
        let shown = failed(sqlx::Error::PoolTimedOut).to_string();
        assert!(shown.contains("5 s on PostgreSQL"), "{shown}");
        assert!(!failed(sqlx::Error::RowNotFound).to_string().contains("limit"));
    }
}
