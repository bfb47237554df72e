//! A row of `businesses`.

use checkout_core::Currency;
use checkout_domain::business::Business;
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::events::EventChoice;
use checkout_domain::business::greenfield::Greenfield;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Stored;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::Theme;
use checkout_wire::payment::{OverpaymentPolicy, RefundAddress};

use crate::secrets::seal::{Keyring, SecretKind};
use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};
use crate::{On, Transaction, locked, query};

pub(crate) async fn find<'a>(
    on: impl Into<On<'a>>,
    keys: &Keyring,
    id: BusinessId,
) -> Stored<Option<Business>> {
    query("SELECT * FROM businesses WHERE id = $1").bind(id).read_first(on, |row| read(row, keys)).await
}

/// Locks the row until the transaction ends.
pub(crate) async fn find_for_change(
    on: &mut Transaction,
    keys: &Keyring,
    id: BusinessId,
) -> Stored<Option<Business>> {
    query(locked!("SELECT * FROM businesses WHERE id = $1", "FOR NO KEY UPDATE"))
        .bind(id)
        .read_first(on, |row| read(row, keys))
        .await
}

columns! {
    "businesses": business: Business, from row, keys: &Keyring;
    given {
        Changes "callback_secret";
        Changes "greenfield";
    }
    fields {
        Key id = business.id => parsed;
        Changes name = &business.name => text;
        Once created_at = business.created_at => number;
        Changes disabled = business.disabled => flag;
        Changes deposit_callback = &business.deposit_callback => optional_text;
        Changes withdrawal_callback = &business.withdrawal_callback => optional_text;
        Changes event_url = &business.event_url => optional_text;
        Changes events = joined(&business.events, EventChoice::name) => list(',');
        Changes settlement_crypto = business.settlement_crypto.map(Currency::code) => optional_parsed;
        Changes settlement_ratio = business.settlement_ratio.to_string() => decimal;
        Changes display_currencies = joined(&business.display_currencies, Fiat::code) => list(',');
        Changes overpayment_policy = business.overpayment_policy.as_str() => word(OverpaymentPolicy::known);
        Changes refund_follow_ups = business.refund_follow_ups => flag;
        Changes refund_address = business.refund_address.as_str() => word(RefundAddress::known);
        Changes underpayment_tolerance = text(business.underpayment_tolerance) => optional_decimal;
        Changes instant_deposit_limit = text(business.instant_deposit_limit) => optional_decimal;
        Changes theme = business.theme.as_str() => word(Theme::known);
        Changes brand_color = text(business.brand_color) => optional_parsed;
        Changes logo = &business.logo => optional_text;
        Changes support_url = &business.support_url => optional_text;
        Changes allowed_origins = business.allowed_origins.join(" ") => list(' ');
    }
    columns {
        Changes "deposit_currencies" = joined(&business.deposit_choices(), |choice| choice.to_string());
    }
    others {
        callback_secret = keys.open(&SecretKind::callback_secret(&row.text("id")?), row.text("callback_secret")?)?;
        greenfield = greenfield(row, keys)?;
        deposit_currencies = deposit_pairs::currencies(&deposits(row)?);
        deposit_networks = deposit_pairs::networks(&deposits(row)?);
    }
}

fn greenfield(row: &Row, keys: &Keyring) -> Stored<Option<Greenfield>> {
    let Some(sealed) = row.optional_text("greenfield")? else { return Ok(None) };
    let text = keys.open(&SecretKind::greenfield(&row.text("id")?), sealed)?;
    Greenfield::parse(&text).map(Some).ok_or_else(|| bad("greenfield"))
}

fn deposits(row: &Row) -> Stored<Vec<DepositChoice>> {
    row.list("deposit_currencies", ',')
}

fn joined<T: Copy, W: AsRef<str>>(all: &[T], word: impl Fn(T) -> W) -> String {
    let words: Vec<W> = all.iter().map(|one| word(*one)).collect();
    words.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(",")
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

pub(crate) async fn put(connection: &mut Transaction, keys: &Keyring, business: &Business) -> Stored<()> {
    let id = business.id.to_string();
    let secret = keys.seal(&SecretKind::callback_secret(&id), &business.callback_secret)?;
    let greenfield = business.greenfield.as_ref().map(Greenfield::to_text);
    let greenfield = greenfield.map(|text| keys.seal(&SecretKind::greenfield(&id), &text)).transpose()?;
    let end = || format!("ON CONFLICT (id) DO UPDATE SET {}", COLUMNS.excluded());
    COLUMNS.insert([secret.into(), greenfield.into()], business, end).run(connection).await
}
