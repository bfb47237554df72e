//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=EUR`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_core::currency::CURRENCIES;
use checkout_core::{Currency, Decimal, pair};
use checkout_domain::chain::opt_ins::OptIns;
use checkout_domain::ledger::fee::{Fees, fee_now};
use checkout_domain::ledger::limits;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::ports::NoRate;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::texts::{AmountText, FiatCode};
use checkout_wire::withdraw_fees::{WithdrawFee, WithdrawFees};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::Shared;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::service::payouts::network_fee;
use crate::service::refused::Refused;
use crate::service::transfers::missing_rate::MissingRate;

/// The code for all coins.
const ALL: &str = "ALL";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Fees and minimums of withdrawals. A fee is at least a fixed one; it is higher while a network asks more, and then stays for a \
minute as it is shown here. The service does not cover on-chain withdrawal fees.";
    operation
        .id("getWithdrawFees")
        .tag(tag::MARKET)
        .summary("Get withdrawal fees and minimums")
        .description(about)
        .refuses(400, &["unreadable_body"])
        .refuses(404, &["not_found"])
        .refuses(503, &["no_rate"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(in crate::http) struct FeesPath {
    /// A coin, several separated by commas, or `ALL`.
    #[schemars(example = &"BTC")]
    coin: String,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[expect(dead_code, reason = "for the document; the handler reads fields")]
pub(in crate::http) struct FeesQuery {
    /// Fiat currency of the display amounts.
    #[schemars(with = "FiatCode", skip_serializing_if = "Option::is_none", example = &"EUR", extend("default" = "EUR"))]
    display_currency: Option<String>,
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: Result<Path<FeesPath>, PathRejection>,
    query: Parameters<FeesQuery>,
) -> Result<Json<WithdrawFees>, Refusal> {
    let coins = path.ok().and_then(|Path(path)| coins(&path.coin, &app.opt_ins()));
    let coins = coins.ok_or_else(|| Refusal::not_found("The coin is unknown. `ALL` means all coins."))?;
    let fiat = query.read(|fields| {
        let fiat = fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
        Some(fiat.unwrap_or(Fiat::EUR))
    })?;
    let fees = network_fee::of_all(&app, coins.iter().flat_map(|coin| pair::usual(*coin))).await;
    Ok(Json(list(&app, &coins, fiat, &fees)?))
}

/// Parses the coins of a path: one code, several separated by commas, or `ALL` of the interface. `None` for unknown coins.
fn coins(text: &str, opt_ins: &OptIns) -> Option<Vec<Currency>> {
    if text == ALL {
        return Some(CURRENCIES.iter().map(|row| row.currency).collect());
    }
    let mut coins: Vec<Currency> = Vec::new();
    for code in text.split(',') {
        let coin = opt_ins.currency(code)?;
        if !coins.contains(&coin) {
            coins.push(coin);
        }
    }
    Some(coins)
}

/// One row per coin, valid on each of its networks. Fees in the display currency are rounded up.
fn list(app: &App, coins: &[Currency], fiat: Fiat, fees: &Fees) -> Result<WithdrawFees, Refused> {
    let missing = |coin| MissingRate { from: Asset::Crypto(coin), to: Asset::Fiat(fiat), account: None };
    let row = |coin: &Currency| row(app, *coin, fiat, fees).map_err(|NoRate| Refused::NoRate(missing(*coin)));
    let fees = coins.iter().map(row).collect::<Result<_, _>>()?;
    Ok(WithdrawFees { display_currency: fiat.code().into(), fees })
}

fn row(app: &App, currency: Currency, fiat: Fiat, fees: &Fees) -> Result<WithdrawFee, NoRate> {
    let limits = limits::of_currency(currency, |pair| fee_now(pair, fees));
    let rate = app.rates.rate(Asset::Crypto(currency), Asset::Fiat(fiat))?;
    let display = |money: Money| {
        let shown = money.convert(Asset::Fiat(fiat), rate, Decimal::ONE, Round::Up);
        shown.map(|money| AmountText::from(money.to_string())).ok_or(NoRate)
    };
    let mut networks = pair::usual(currency).filter(|pair| pair.withdrawal);
    Ok(WithdrawFee {
        withdraw_currency: currency.into(),
        withdraw_fee: limits.fee.to_string().into(),
        display_withdraw_fee: display(limits.fee)?,
        minimum_withdrawable_amount: limits.minimum.to_string().into(),
        display_minimum_withdrawable_amount: display(limits.minimum)?,
        withdraw_available: networks.any(|pair| app.broadcasters.contains_key(&pair.network)),
        withdraw_precision: limits.precision,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coins_of_a_path_are_parsed() {
        use Currency::{Btc, Eth};
        let check = |text: &str, expected: Option<&[Currency]>| {
            assert_eq!(coins(text, &OptIns::default()).as_deref(), expected, "{text:?}");
        };
        check("BTC", Some(&[Btc]));
        check("ETH,BTC,ETH", Some(&[Eth, Btc]));
        for text in ["", "btc", "BTC,", "NOPE", "BTC,NOPE", "BTC, ETH", "all", "EUR"] {
            check(text, None);
        }
        assert_eq!(coins("ALL", &OptIns::default()).unwrap().len(), 9);
    }
}
