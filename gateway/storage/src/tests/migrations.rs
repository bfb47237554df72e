//! Databases of every released schema, with data in every table, are migrated and read by today's code.

mod archived;
mod refunds;
mod rows;

use std::collections::BTreeMap;

use checkout_core::{Currency, Network};
use checkout_domain::callback::State;
use checkout_domain::chain::OutputState;
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::Progress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Account;
use checkout_domain::payment::refund_phase::{self, Step};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::businesses::BusinessStore;
use checkout_domain::ports::callbacks::CallbackStore as _;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::ports::payments::PaymentStore;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::ports::transfers::TransferStore as _;
use checkout_wire::PaymentStatus;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, PgPool, Row as _, SqlitePool};
use uuid::Uuid;

pub(super) use self::refunds::{charged_refunds, refunds};
use self::rows::{BUSINESS, Cell, DEPOSIT, ORDER, PAYMENT, REFUND, ROWS, WITHDRAWAL};
use super::stage::Stage;
use crate::Database;
use crate::fixture::TestDatabase;
use crate::migrations::{GATEWAY, Schema};

/// A database of an older version.
enum Old {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Old {
    async fn make(place: &TestDatabase, migrations: usize) -> Self {
        let schema = Schema { migrations: &GATEWAY.migrations[..migrations], ..GATEWAY };
        match place {
            TestDatabase::Sqlite(folder) => {
                let file = folder.path().join("checkout.db");
                let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
                let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
                schema.sqlite().run(&pool).await.unwrap();
                Self::Sqlite(pool)
            }
            TestDatabase::Postgres(url) => {
                let pool = PgPoolOptions::new().max_connections(1).connect(url).await.unwrap();
                schema.postgres().run(&pool).await.unwrap();
                Self::Postgres(pool)
            }
        }
    }

    /// The columns of all tables.
    async fn columns(&self) -> BTreeMap<String, Vec<String>> {
        let pairs: Vec<(String, String)> = match self {
            Self::Sqlite(pool) => {
                let sql = "SELECT m.name AS t, c.name AS c FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
                    WHERE m.type = 'table' ORDER BY c.cid";
                let rows = sqlx::query(sql).fetch_all(pool).await.unwrap();
                rows.iter().map(|row| (row.get("t"), row.get("c"))).collect()
            }
            Self::Postgres(pool) => {
                let sql =
                    "SELECT table_name::text AS t, column_name::text AS c FROM information_schema.columns
                    WHERE table_schema = current_schema()
                        AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = current_schema())
                    ORDER BY ordinal_position";
                let rows = sqlx::query(sql).fetch_all(pool).await.unwrap();
                rows.iter().map(|row| (row.get("t"), row.get("c"))).collect()
            }
        };
        let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, column) in pairs {
            columns.entry(table).or_default().push(column);
        }
        columns.remove(GATEWAY.applied);
        columns
    }

    async fn run(&self, sql: String) {
        let done = match self {
            Self::Sqlite(pool) => sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(pool).await.map(drop),
            Self::Postgres(pool) => sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(pool).await.map(drop),
        };
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    async fn close(self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// The row's cells of the columns that exist.
fn cells<'a>(table: &str, columns: &'a [String]) -> Vec<(&'a str, Cell)> {
    let (_, row) =
        ROWS.iter().find(|(name, _)| *name == table).unwrap_or_else(|| panic!("rows.rs has no {table}"));
    columns
        .iter()
        .filter_map(|column| {
            row.iter().find(|(name, _)| name == column).map(|(_, cell)| (column.as_str(), *cell))
        })
        .collect()
}

async fn fill(old: &Old) -> BTreeMap<String, Vec<String>> {
    let columns = old.columns().await;
    for table in columns.keys() {
        assert!(ORDER.contains(&table.as_str()), "{table} has no data: add it to migrations/rows.rs");
    }
    for table in ORDER {
        let Some(known) = columns.get(table) else { continue };
        let cells = cells(table, known);
        let mut names: Vec<&str> = cells.iter().map(|(name, _)| *name).collect();
        let mut values: Vec<String> = cells.iter().map(|(_, cell)| cell.sql()).collect();
        if table == "archived_payments" {
            names.push("record");
            values.push(format!("'{}'", archived::record(&columns)));
        }
        let (names, mut values) = (names.join(", "), values.join(", "));
        if table.starts_with("archived_") {
            values = archived::other(&values);
        }
        old.run(format!("INSERT INTO {table} ({names}) VALUES ({values})")).await;
        let other = match table {
            // Those of the refund of the archived payment, and of the withdrawal.
            "payouts" => {
                let refund = archived::other(&values)
                    .replace("'SENT'", "'FINAL'")
                    .replace("'bc1-hot', 7", "'bc1-hot', 6");
                old.run(format!("INSERT INTO {table} ({names}) VALUES ({refund})")).await;
                values
                    .replace(REFUND, WITHDRAWAL)
                    .replace("'REFUND'", "'WITHDRAWAL'")
                    .replace("'SENT', '00', 'payout-1'", "'WAITING', NULL, NULL")
                    .replace("'bc1-hot', 7", "NULL, NULL")
            }
            // The other account, so that both add up to zero.
            "ledger_lines" | "ledger_balances" => {
                values.replace("'FIAT'", "'CHAIN'").replace("'1000'", "'-1000'")
            }
            _ => continue,
        };
        old.run(format!("INSERT INTO {table} ({names}) VALUES ({other})")).await;
    }
    columns
}

fn id(text: &str) -> Uuid {
    text.parse().unwrap()
}

pub(super) async fn from_every_version(stage: &Stage) {
    for count in 1..=GATEWAY.migrations.len() {
        let place = stage.place.another();
        let (number, name, _) = GATEWAY.migrations[count - 1];
        let old = Old::make(&place, count).await;
        let columns = fill(&old).await;
        old.close().await;
        let database = place.open().await;
        check(&database, &columns, &format!("{number} {name}")).await;
        database.close().await;
    }
}

/// What was decided of a payout of a restored database stays decided.
pub(super) async fn holds(stage: &Stage) {
    let why = || "it may have been sent".to_owned();
    let sent = |why| Hold::SentBy { transaction: "T".to_owned(), why };
    for (reason, decision, expected) in [
        ("NULL", "NULL, NULL", Hold::Unasked),
        ("'it may have been sent'", "NULL, NULL", Hold::Held { why: why() }),
        ("NULL", "'RELEASE', NULL", Hold::Cleared),
        ("'it may have been sent'", "'RELEASE', NULL", Hold::Released { why: why() }),
        ("'it may have been sent'", "'SENT', 'T'", sent(why())),
        // Decided before the chain was asked, by a version that noted no reason.
        ("NULL", "'SENT', 'T'", sent(String::new())),
    ] {
        let place = stage.place.another();
        let old = Old::make(&place, 16).await;
        fill(&old).await;
        old.run(format!(
            "UPDATE payout_holds SET (reason, decision, transaction_id) = ({reason}, {decision})"
        ))
        .await;
        old.close().await;
        let open = place.open().await.open_payouts(None, None).await.unwrap();
        let hold = open.into_iter().find(|payout| payout.id == id(WITHDRAWAL)).map(|payout| payout.hold);
        assert_eq!(hold, Some(expected), "{reason} {decision}");
    }
}

async fn check(database: &Database, columns: &BTreeMap<String, Vec<String>>, version: &str) {
    let had = |table: &str| columns.contains_key(table);
    let business = BusinessStore::business(database, BusinessId(id(BUSINESS))).await.unwrap().expect(version);
    assert_eq!(
        (business.name.as_str(), business.callback_secret.as_str()),
        ("Kettle & Co", "whsec_c2VjcmV0"),
        "{version}"
    );
    assert_eq!(database.setting("kind").await.unwrap().as_deref(), Some("production"), "{version}");
    assert_eq!(database.credentials(Some(business.id)).await.unwrap().len(), 1, "{version}");
    assert_eq!(database.sessions(PaymentId(id(PAYMENT))).await.unwrap().len(), 1, "{version}");
    assert_eq!(database.cursor(Network::Btc).await.unwrap().as_deref(), Some("cursor"), "{version}");

    let found = PaymentStore::payment(database, PaymentId(id(PAYMENT))).await.unwrap().expect(version);
    let payment = &found.payment;
    assert_eq!((&payment.status, payment.business), (&PaymentStatus::Deposited, business.id), "{version}");
    assert_eq!(payment.display_currency, payment.first_display_currency, "{version}");
    assert_eq!(found.quotes.len(), 1, "{version}");
    let quote = &found.quotes[0];
    assert_eq!((quote.currency, quote.address.as_str()), (Currency::Btc, "bc1-address"), "{version}");
    assert_eq!((quote.terms.expected.atoms(), quote.requested_at), (166_667, 1_700_000_000), "{version}");
    let [deposit] = &found.deposits[..] else { panic!("{version}: {} deposits", found.deposits.len()) };
    assert_eq!((deposit.amount.atoms(), deposit.state), (166_667, OutputState::Confirmed), "{version}");
    assert_eq!(deposit.quote, Some(0), "{version}: the quote that judges it");
    let is_stored = columns["deposits"].iter().any(|column| column == "recorded_at");
    let recorded_at =
        if is_stored { 1_700_000_055 } else { id(DEPOSIT).get_timestamp().unwrap().to_unix().0 };
    assert_eq!(deposit.recorded_at, recorded_at, "{version}");
    assert!(deposit.screening.is_cleared() && deposit.counts(), "{version}: it is credited");

    if had("payouts") {
        let refund = found.refund(deposit.id).expect(version);
        let refund_phase::Phase::Leaving(Step::Sent, transfer) = &refund.phase else {
            panic!("{version}: {:?}", refund.phase)
        };
        assert_eq!(transfer.payout, id(REFUND), "{version}");
        let balances = database.balances(business.id).await.unwrap();
        let fiat = balances.iter().find(|(account, _)| *account == Account::Fiat).expect(version);
        assert_eq!(fiat.1.units, 1_000, "{version}");
        let open = database.open_payouts(None, None).await.unwrap();
        let open: Vec<_> = open.iter().map(|payout| (payout.id, payout.state.word())).collect();
        assert_eq!(open, [(id(REFUND), Progress::Sent), (id(WITHDRAWAL), Progress::Waiting)], "{version}");
        assert_eq!(
            database.refunded_payment(id(REFUND)).await.unwrap(),
            Some(PaymentId(id(PAYMENT))),
            "{version}"
        );
        let withdrawals = database.newest_withdrawals(10).await.unwrap();
        assert_eq!(withdrawals[0].client_withdrawal_id, "w-1", "{version}");
        assert_eq!(database.count("SELECT COUNT(*) FROM whitelisted_addresses").await, 1, "{version}");
        let held = usize::from(had("payout_holds"));
        assert_eq!(database.held_payouts().await.unwrap().len(), held, "{version}");
    }
    if had("callbacks") {
        let callbacks = database.callbacks(Some(business.id), None, 10).await.unwrap();
        let callback = callbacks.iter().find(|callback| callback.subject == id(DEPOSIT)).expect(version);
        assert_eq!((callback.attempts, callback.state), (3, State::Pending), "{version}");
        let (_, attempts) = database.callback(callback.id).await.unwrap().expect(version);
        assert_eq!(attempts.len(), 1, "{version}");
    }
    if had("dust") {
        assert_eq!(database.dust(PaymentId(id(PAYMENT))).await.unwrap().len(), 1, "{version}");
    }
    if had("logos") {
        assert!(database.logo("logo.png").await.unwrap().is_some(), "{version}");
    }
    let inspection = database.inspect().await.unwrap();
    assert_eq!(inspection.faults, Vec::<String>::new(), "{version}");

    let mut tx = database.begin().await.unwrap();
    if had("payouts") {
        let booked = tx.booked(PaymentId(id(PAYMENT))).await.unwrap();
        assert_eq!(booked[&id(DEPOSIT)].generation, 1, "{version}");
        let (_, of_business) = database.balances_and_pending(business.id).await.unwrap();
        for pending in [of_business.deposits, database.pending_on(Network::Btc, 9, 50).await.unwrap()] {
            assert!(pending.iter().any(|pending| pending.deposit == id(DEPOSIT)), "{version}");
        }
    }
    if had("archived_payments") {
        archived::check(database, tx.as_mut(), columns, version).await;
    }
    // What was migrated can be changed, and its version rises.
    let mut changed = tx.payment(PaymentId(id(PAYMENT))).await.unwrap().expect(version);
    changed.payment.status = PaymentStatus::Overpaid;
    tx.update_payment(&changed.payment).await.unwrap();
    tx.commit().await.unwrap();
    let after = PaymentStore::payment(database, PaymentId(id(PAYMENT))).await.unwrap().expect(version);
    assert_eq!(after.payment.status, PaymentStatus::Overpaid, "{version}");
    assert!(after.version > found.version, "{version}");
}
