//! A row of `payments`.

use checkout_domain::ids::PaymentId;
use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Currency, Network};
use checkout_domain::payment::acceptance::{Acceptance, Judge};
use checkout_domain::payment::{Notes, Payment, Price, Quote};
use checkout_domain::ports::Stored;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::payment::OverpaymentPolicy;
use checkout_wire::{PaymentStatus, PaymentType, RateType};
use uuid::Uuid;

use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};
use crate::{Transaction, query_list, rows};

columns! {
    /// A payment is read with its current quote, which is a row of its own.
    "payments": payment: Payment, from row, quote: Option<Quote>;
    given {
        Once "request_hash";
    }
    fields {
        Key id = payment.id => parsed;
        Once business = payment.business => parsed;
        Once client_payment_id = &payment.client_payment_id => text;
        Once kind = payment.kind.as_str() => word(PaymentType::known);
        Once rate_type = payment.rate_type.as_str() => word(RateType::known);
        Once locale = &payment.locale => text;
        Changes display_currency = payment.display_currency.code() => parsed;
        Once first_display_currency = payment.first_display_currency.code() => parsed;
        Changes display_currency_given = payment.display_currency_given => flag;
        Once requested_currency = payment.requested_currency.map(Currency::code) => optional_parsed;
        Once requested_network = payment.requested_network.map(Network::code) => optional_parsed;
        Once expiration_minutes = payment.expiration_minutes => number;
        Once redirect_url = &payment.redirect_url => optional_text;
        Once overpayment_policy = payment.overpayment_policy.as_str() => word(OverpaymentPolicy::known);
        Once refund_follow_ups = payment.refund_follow_ups => flag;
        Once underpayment_tolerance = payment.underpayment_tolerance.map(|share| share.to_string()) => optional_decimal;
        Once initiated_at = payment.initiated_at => number;
        Changes status = payment.status.as_str() => word(PaymentStatus::known);
        Later cancelled_at = payment.cancelled_at => optional_number;
        Later settled_at = payment.settled_at => optional_number;
        Once session_nonce = payment.session_nonce.0.to_string() => parsed;
        Once estimate = payment.estimate.map(|amount| amount.to_string()) => optional_decimal;
    }
    columns {
        Once "description" = &payment.notes.description;
        Once "price_display" = match &payment.price {
            Price::Display(amount) => Some(amount.to_string()),
            Price::Crypto { .. } => None,
        };
        Once "price_crypto" = match &payment.price {
            Price::Display(_) => None,
            Price::Crypto { amount, .. } => Some(amount),
        };
        Once "metadata" = metadata_text(&payment.notes.metadata);
        Later "accepted_by" = payment.acceptance.as_ref().and_then(|acceptance| rules(acceptance.by));
        Later "accepted_at" = payment.acceptance.as_ref().map(|acceptance| acceptance.at);
        Later "accepted_seq" = payment.acceptance.as_ref().map(|acceptance| acceptance.seq);
        Later "accepted_deposits" = payment.acceptance.as_ref().map(deposits_text);
        Changes "window_end" = payment.window_end();
        Changes "currency" = payment.currency().map(Currency::code);
        Changes "network" = payment.network().map(Network::code);
    }
    others {
        price = price(row)?;
        notes = notes(row)?;
        acceptance = acceptance(row)?;
        quote = quote;
    }
}

/// The display currency of a row.
pub(crate) fn fiat(row: &Row) -> Stored<Fiat> {
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
pub(crate) async fn insert(
    connection: &mut Transaction,
    payments: &[(&Payment, &str)],
) -> Stored<BTreeSet<PaymentId>> {
    let end = "ON CONFLICT (business, client_payment_id) DO NOTHING RETURNING id";
    let rows = payments.iter().map(|(payment, hash)| ([(*hash).into()], *payment));
    let rows = COLUMNS.insert_all(rows, end).fetch_all(&mut *connection).await?;
    let inserted: BTreeSet<PaymentId> = rows.iter().map(|row| row.parsed("id")).collect::<Stored<_>>()?;
    let new = payments.iter().map(|(payment, _)| *payment).filter(|payment| inserted.contains(&payment.id));
    rows::payment_texts::insert(connection, new).await?;
    Ok(inserted)
}

fn metadata_text(metadata: &BTreeMap<String, String>) -> Option<String> {
    let text = || serde_json::to_string(metadata).expect("texts are JSON");
    (!metadata.is_empty()).then(text)
}

fn deposits_text(acceptance: &Acceptance) -> String {
    let ids: Vec<String> = acceptance.deposits.iter().map(Uuid::to_string).collect();
    ids.join(",")
}

/// The version of the rules; `None`: the merchant.
fn rules(by: Judge) -> Option<u32> {
    match by {
        Judge::Merchant => None,
        Judge::Rules { version } => Some(version),
    }
}

fn acceptance(row: &Row) -> Stored<Option<Acceptance>> {
    let Some(at) = row.optional_number("accepted_at")? else { return Ok(None) };
    let deposits = row.text("accepted_deposits")?;
    let deposits = deposits.split(',').map(|id| id.parse().map_err(|_| bad("accepted_deposits")));
    let by = row.optional_number("accepted_by")?.map_or(Judge::Merchant, |version| Judge::Rules { version });
    Ok(Some(Acceptance {
        by,
        at,
        seq: row.number("accepted_seq")?,
        deposits: deposits.collect::<Stored<_>>()?,
    }))
}

fn notes(row: &Row) -> Stored<Notes> {
    let metadata = row.optional_text("metadata")?;
    let metadata =
        metadata.map(|text| serde_json::from_str(&text).map_err(|_| bad("metadata"))).transpose()?;
    Ok(Notes { description: row.optional_text("description")?, metadata: metadata.unwrap_or_default() })
}

/// Which of these payments are stored.
pub(crate) async fn present(connection: &mut Transaction, ids: &[PaymentId]) -> Stored<Vec<PaymentId>> {
    let text = |listed: &str| format!("SELECT id FROM payments WHERE id {listed}");
    query_list(Vec::new(), ids.iter().copied(), text).read_all(connection, |row| row.parsed("id")).await
}

/// Updates the columns that can change, of different payments.
pub(crate) async fn update(connection: &mut Transaction, payments: &[&Payment]) -> Stored<()> {
    COLUMNS.update(payments.iter().copied()).run(connection).await
}
