//! A row of `payments`.

use std::collections::BTreeSet;

use checkout_core::wire::payment::OverpaymentPolicy;
use checkout_core::wire::{PaymentStatus, PaymentType, RateType};
use checkout_core::{Currency, Network};
use checkout_domain::payment::{Payment, Price, Quote};
use checkout_domain::ports::Stored;
use checkout_domain::rates::fiat::Fiat;
use uuid::Uuid;

use super::row::{Row, bad, int};
use super::{Query, Transaction, by_statement, placeholders, query, query_rows};

/// Reads a payment with its current quote, which is a row of its own.
pub(super) fn read(row: &Row, quote: Option<Quote>) -> Stored<Payment> {
    Ok(Payment {
        id: row.parsed("id")?,
        business: row.parsed("business")?,
        client_payment_id: row.text("client_payment_id")?,
        kind: row.word("kind", PaymentType::known)?,
        rate_type: row.word("rate_type", RateType::known)?,
        locale: row.text("locale")?,
        display_currency: fiat(row)?,
        first_display_currency: row
            .text("first_display_currency")?
            .parse()
            .map_err(|_| bad("first_display_currency"))?,
        display_currency_given: row.flag("display_currency_given")?,
        price: price(row)?,
        requested_currency: row.optional_parsed("requested_currency")?,
        requested_network: row.optional_parsed("requested_network")?,
        expiration_minutes: row.number("expiration_minutes")?,
        redirect_url: row.optional_text("redirect_url")?,
        overpayment_policy: row.word("overpayment_policy", OverpaymentPolicy::known)?,
        refund_follow_ups: row.flag("refund_follow_ups")?,
        underpayment_tolerance: row.optional_decimal("underpayment_tolerance")?,
        initiated_at: row.number("initiated_at")?,
        quote,
        status: row.word("status", PaymentStatus::known)?,
        settled_at: row.optional_number("settled_at")?,
        session_nonce: row.parsed("session_nonce")?,
        estimate: row.optional_decimal("estimate")?,
    })
}

/// The display currency of a row.
pub(super) fn fiat(row: &Row) -> Stored<Fiat> {
    row.text("display_currency")?.parse().map_err(|_| bad("display_currency"))
}

fn price(row: &Row) -> Stored<Price> {
    match row.optional_decimal("price_display")? {
        Some(amount) => Ok(Price::Display(amount)),
        None => Ok(Price::Crypto {
            currency: row.parsed("requested_currency")?,
            amount: row.text("price_crypto")?,
        }),
    }
}

/// Inserts new payments, which have no quote yet, with the hashes of their requests. Returns the ids of the inserted
/// payments; those whose `clientPaymentId` is taken are skipped.
pub(super) async fn insert(
    connection: &mut Transaction,
    payments: &[(&Payment, &str)],
) -> Stored<BTreeSet<Uuid>> {
    let values = placeholders(payments.len(), 26);
    let text = format!(
        "INSERT INTO payments (id, business, client_payment_id, request_hash, kind, rate_type, locale,
             display_currency, display_currency_given, price_display, price_crypto, requested_currency,
             requested_network, expiration_minutes, redirect_url, overpayment_policy, refund_follow_ups,
             initiated_at, estimate, session_nonce, status, window_end, underpayment_tolerance,
             first_display_currency, currency, network)
         SELECT * FROM (VALUES {values}) AS new WHERE NOT EXISTS (
             SELECT 1 FROM archived_payments AS old
             WHERE old.business = new.column2 AND old.client_payment_id = new.column3
         ) ON CONFLICT (business, client_payment_id) DO NOTHING RETURNING id"
    );
    let statement = query_rows(text, payments.len(), 26);
    let statement =
        payments.iter().fold(statement, |statement, (payment, hash)| bind(statement, payment, hash));
    let rows = statement.fetch_all(connection).await?;
    rows.iter().map(|row| row.parsed("id")).collect()
}

/// Which of these payments are stored.
pub(super) async fn present(connection: &mut Transaction, ids: &[Uuid]) -> Stored<Vec<Uuid>> {
    let places: Vec<String> = (1..=ids.len()).map(|at| format!("${at}")).collect();
    let statement = query(format!("SELECT id FROM payments WHERE id IN ({})", places.join(", "))).once();
    let statement = ids.iter().fold(statement, |statement, id| statement.bind(id.to_string()));
    let rows = statement.fetch_all(connection).await?;
    rows.iter().map(|row| row.parsed("id")).collect()
}

fn bind(statement: Query, payment: &Payment, request_hash: &str) -> Query {
    let (display, crypto) = match &payment.price {
        Price::Display(amount) => (Some(amount.to_string()), None),
        Price::Crypto { amount, .. } => (None, Some(amount.as_str())),
    };
    statement
        .bind(payment.id.to_string())
        .bind(payment.business.to_string())
        .bind(&payment.client_payment_id)
        .bind(request_hash)
        .bind(payment.kind.as_str())
        .bind(payment.rate_type.as_str())
        .bind(&payment.locale)
        .bind(payment.display_currency.code())
        .bind(payment.display_currency_given)
        .bind(display)
        .bind(crypto)
        .bind(payment.requested_currency.map(Currency::code))
        .bind(payment.requested_network.map(Network::code))
        .bind(i64::from(payment.expiration_minutes))
        .bind(&payment.redirect_url)
        .bind(payment.overpayment_policy.as_str())
        .bind(payment.refund_follow_ups)
        .bind(int(payment.initiated_at))
        .bind(payment.estimate.map(|amount| amount.to_string()))
        .bind(payment.session_nonce.to_string())
        .bind(payment.status.as_str())
        .bind(payment.window_end().map(int))
        .bind(payment.underpayment_tolerance.map(|share| share.to_string()))
        .bind(payment.first_display_currency.code())
        .bind(payment.currency().map(Currency::code))
        .bind(payment.network().map(Network::code))
}

/// Updates the columns that can change, of different payments.
pub(super) async fn update(connection: &mut Transaction, payments: &[&Payment]) -> Stored<()> {
    for some in by_statement(payments, 8) {
        let text = format!(
            "UPDATE payments SET display_currency = new.column2, display_currency_given = new.column3,
                 status = new.column4, window_end = new.column5, settled_at = new.column6,
                 currency = new.column7, network = new.column8
             FROM (VALUES {}) AS new WHERE id = new.column1",
            placeholders(some.len(), 8)
        );
        let bind = |statement: Query, payment: &&Payment| {
            statement
                .bind(payment.id.to_string())
                .bind(payment.display_currency.code())
                .bind(payment.display_currency_given)
                .bind(payment.status.as_str())
                .bind(payment.window_end().map(int))
                .bind(payment.settled_at.map(int))
                .bind(payment.currency().map(Currency::code))
                .bind(payment.network().map(Network::code))
        };
        some.iter().fold(query_rows(text, some.len(), 8), bind).execute(&mut *connection).await?;
    }
    Ok(())
}
