//! A row of `businesses`.

use checkout_core::wire::Theme;
use checkout_core::wire::payment::OverpaymentPolicy;
use checkout_domain::business::Business;
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::ports::Stored;
use checkout_domain::rates::fiat::Fiat;
use uuid::Uuid;

use super::row::{Row, int};
use super::seal::{Keyring, Place};
use super::{On, Transaction, locked, query};

pub(super) async fn find<'a>(on: impl Into<On<'a>>, keys: &Keyring, id: Uuid) -> Stored<Option<Business>> {
    let row = query("SELECT * FROM businesses WHERE id = $1").bind(id.to_string()).fetch_optional(on).await?;
    row.map(|row| read(&row, keys)).transpose()
}

/// Locks the row until the transaction ends.
pub(super) async fn find_for_change(
    on: &mut Transaction,
    keys: &Keyring,
    id: Uuid,
) -> Stored<Option<Business>> {
    let row = query(locked!("SELECT * FROM businesses WHERE id = $1", "FOR NO KEY UPDATE"))
        .bind(id.to_string())
        .fetch_optional(on)
        .await?;
    row.map(|row| read(&row, keys)).transpose()
}

pub(super) fn read(row: &Row, keys: &Keyring) -> Stored<Business> {
    let place = Place::callback_secret(&row.text("id")?);
    let deposits: Vec<DepositChoice> = row.list("deposit_currencies", ',')?;
    Ok(Business {
        id: row.parsed("id")?,
        name: row.text("name")?,
        created_at: row.number("created_at")?,
        deposit_callback: row.optional_text("deposit_callback")?,
        withdrawal_callback: row.optional_text("withdrawal_callback")?,
        callback_secret: keys.open(&place, row.text("callback_secret")?)?,
        settlement_crypto: row.parsed("settlement_crypto")?,
        settlement_ratio: row.decimal("settlement_ratio")?,
        deposit_currencies: deposit_pairs::currencies(&deposits),
        deposit_networks: deposit_pairs::networks(&deposits),
        display_currencies: row
            .list::<String>("display_currencies", ',')?
            .iter()
            .map(|code| code.parse::<Fiat>().map_err(|_| super::row::bad("display_currencies")))
            .collect::<Stored<_>>()?,
        overpayment_policy: row.word("overpayment_policy", OverpaymentPolicy::known)?,
        refund_follow_ups: row.flag("refund_follow_ups")?,
        underpayment_tolerance: row.optional_decimal("underpayment_tolerance")?,
        instant_deposit_limit: row.optional_decimal("instant_deposit_limit")?,
        theme: row.word("theme", Theme::known)?,
        brand_color: row.optional_parsed("brand_color")?,
        logo: row.optional_text("logo")?,
        support_url: row.optional_text("support_url")?,
        allowed_origins: row.list("allowed_origins", ' ')?,
    })
}

pub(super) async fn put(connection: &mut Transaction, keys: &Keyring, business: &Business) -> Stored<()> {
    let id = business.id.to_string();
    let secret = keys.seal(&Place::callback_secret(&id), &business.callback_secret)?;
    let deposit: Vec<String> = business.deposit_choices().iter().map(DepositChoice::to_string).collect();
    let display: Vec<&str> = business.display_currencies.iter().map(|f| f.code()).collect();
    query(
        "INSERT INTO businesses (id, name, created_at, deposit_callback, withdrawal_callback, callback_secret,
             settlement_crypto, settlement_ratio, deposit_currencies, display_currencies, overpayment_policy,
             refund_follow_ups, theme, allowed_origins, underpayment_tolerance, support_url, instant_deposit_limit,
             brand_color, logo)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, deposit_callback = excluded.deposit_callback,
             withdrawal_callback = excluded.withdrawal_callback, callback_secret = excluded.callback_secret,
             settlement_crypto = excluded.settlement_crypto, settlement_ratio = excluded.settlement_ratio,
             deposit_currencies = excluded.deposit_currencies, display_currencies = excluded.display_currencies,
             overpayment_policy = excluded.overpayment_policy, refund_follow_ups = excluded.refund_follow_ups,
             theme = excluded.theme, allowed_origins = excluded.allowed_origins,
             underpayment_tolerance = excluded.underpayment_tolerance, support_url = excluded.support_url,
             instant_deposit_limit = excluded.instant_deposit_limit, brand_color = excluded.brand_color,
             logo = excluded.logo",
    )
    .bind(id)
    .bind(&business.name)
    .bind(int(business.created_at))
    .bind(&business.deposit_callback)
    .bind(&business.withdrawal_callback)
    .bind(secret)
    .bind(business.settlement_crypto.code())
    .bind(business.settlement_ratio.to_string())
    .bind(deposit.join(","))
    .bind(display.join(","))
    .bind(business.overpayment_policy.as_str())
    .bind(business.refund_follow_ups)
    .bind(business.theme.as_str())
    .bind(business.allowed_origins.join(" "))
    .bind(business.underpayment_tolerance.map(|share| share.to_string()))
    .bind(&business.support_url)
    .bind(business.instant_deposit_limit.map(|limit| limit.to_string()))
    .bind(business.brand_color.map(|color| color.to_string()))
    .bind(&business.logo)
    .execute(connection)
    .await?;
    Ok(())
}
