//! Which revision of their rows tokens, businesses and payments have now, asked of PostgreSQL in one statement for all
//! who ask at the same moment.
//!
//! Nobody is answered by a statement that was sent before it asked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use crate::adapters::sql::batches::{Batches, Server};
use crate::adapters::sql::{Database, On, query};
use crate::domain::access::token::TokenHash;
use crate::ports::{StoreError, Stored};

/// How long a statement may take. A connection that is cut off without a word keeps everybody waiting until then.
const PATIENCE: Duration = Duration::from_secs(5);

/// `xmin` is the transaction that wrote a row as it is, so it changes with every write, whatever statement writes.
/// A number of a transaction comes again after four thousand millions of them; another server, or one that went back to a
/// backup, started at another time.
///
/// `LATERAL` and `LIMIT`: each key is looked up by itself. In a join the plan for a small table would read all of it, and
/// stay for a while when it has grown. The inner `SELECT` hides how many keys there are: plans for a number of keys look
/// cheaper than the one for any, and would be made anew each time.
const CURRENT: &str = "SELECT 'server' AS kind, '' AS key, pg_postmaster_start_time()::text AS revision
    UNION ALL
    SELECT 'token', asked, found.revision FROM unnest((SELECT string_to_array($1, ','))) AS asked, LATERAL (
        SELECT xmin::text AS revision FROM credentials WHERE token_hash = asked LIMIT 1
    ) AS found
    UNION ALL
    SELECT 'token', asked, found.revision FROM unnest((SELECT string_to_array($1, ','))) AS asked, LATERAL (
        SELECT xmin::text AS revision FROM sessions WHERE token_hash = asked LIMIT 1
    ) AS found
    UNION ALL
    SELECT 'business', asked, found.revision FROM unnest((SELECT string_to_array($2, ','))) AS asked, LATERAL (
        SELECT xmin::text AS revision FROM businesses WHERE id = asked LIMIT 1
    ) AS found
    UNION ALL
    SELECT 'payment', asked, found.revision FROM unnest((SELECT string_to_array($3, ','))) AS asked, LATERAL (
        SELECT concat_ws(';', xmin, (
            SELECT string_agg(
                    concat_ws(',', deposits.id, deposits.xmin, refunds.xmin, payouts.id, payouts.xmin), ';'
                    ORDER BY deposits.id
                )
                FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
                    LEFT JOIN payouts ON payouts.id = refunds.payout
                WHERE deposits.payment = payments.id
        )) AS revision FROM payments WHERE id = asked LIMIT 1
    ) AS found";

/// What has a revision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::adapters::sql) enum Subject {
    Token(TokenHash),
    Business(Uuid),
    /// With its deposits, their refunds and what pays them.
    Payment(Uuid),
}

/// The very rows of something. Two reads in the same revision read the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::adapters::sql) struct Revision {
    server: Arc<str>,
    rows: String,
}

/// The revisions that the database has at one moment.
#[derive(Clone, Debug, Default)]
pub(in crate::adapters::sql) struct Current(BTreeMap<Subject, Revision>);

impl Current {
    /// `None` when it is not stored, or was not asked for.
    pub(in crate::adapters::sql) fn of(&self, subject: &Subject) -> Option<&Revision> {
        self.0.get(subject)
    }
}

/// The revisions of these subjects in the state that a connection sees.
pub(in crate::adapters::sql) async fn read<'a>(
    on: impl Into<On<'a>>,
    subjects: &BTreeSet<Subject>,
) -> Stored<Current> {
    let keys =
        |key: fn(&Subject) -> Option<String>| subjects.iter().filter_map(key).collect::<Vec<_>>().join(",");
    let rows = query(CURRENT)
        .bind(keys(|subject| match subject {
            Subject::Token(token) => Some(token.as_str().to_owned()),
            _ => None,
        }))
        .bind(keys(|subject| match subject {
            Subject::Business(id) => Some(id.to_string()),
            _ => None,
        }))
        .bind(keys(|subject| match subject {
            Subject::Payment(id) => Some(id.to_string()),
            _ => None,
        }))
        .fetch_all(on)
        .await?;
    let mut server = Arc::from("");
    let mut current = Vec::new();
    for row in rows {
        let rows = row.text("revision")?;
        let subject = match row.text("kind")?.as_str() {
            "token" => Subject::Token(TokenHash::stored(row.text("key")?)),
            "business" => Subject::Business(row.parsed("key")?),
            "payment" => Subject::Payment(row.parsed("key")?),
            _ => {
                server = Arc::from(rows);
                continue;
            }
        };
        current.push((subject, rows));
    }
    let of = |(subject, rows)| (subject, Revision { server: Arc::clone(&server), rows });
    Ok(Current(current.into_iter().map(of).collect()))
}

type Answer = Result<Arc<Current>, String>;

/// What is asked, until the statement before it is back.
#[derive(Clone, Debug, Default)]
pub(in crate::adapters::sql) struct Questions(pub(super) Batches<Vec<Subject>, Answer>);

impl Questions {
    /// The revisions of these and perhaps of others, not older than this call.
    pub(in crate::adapters::sql) async fn ask(
        &self,
        database: &Database,
        subjects: Vec<Subject>,
    ) -> Stored<Arc<Current>> {
        let answer = self.0.ask(subjects, |server| serve(server, database.clone())).await?;
        answer.map_err(|error| StoreError(error.into()))
    }
}

async fn serve(mut server: Server<Vec<Subject>, Answer>, database: Database) {
    while let Some(batch) = server.next(usize::MAX) {
        let subjects = batch.iter().flat_map(|waiting| &waiting.wanted).cloned().collect();
        let read = tokio::time::timeout(PATIENCE, read(&database.readers, &subjects)).await;
        let answer = match read {
            Ok(Ok(current)) => Ok(Arc::new(current)),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
        };
        for waiting in batch {
            waiting.answer(answer.clone());
        }
        // Who has an answer goes first: it ends its request, and the next one of its connection comes in.
        tokio::task::yield_now().await;
    }
}
