//! `GET /api/v1/rates?from=BTC,ETH&to=EUR,USD`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_domain::rates::asset::Asset;
use checkout_wire::list_rates::ExchangeRate;
use checkout_wire::schema::Codes;
use schemars::JsonSchema;

use crate::http::Shared;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;

/// The maximum number of pairs; there are fewer currencies.
const MOST: usize = 32;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "The rate of every currency in `from` in every currency in `to`, fiat and crypto.";
    operation
        .id("getRates")
        .tag(tag::MARKET)
        .summary("Get exchange rates")
        .description(about)
        .answers::<Vec<ExchangeRate>>(200, "The rates.")
        .refuses(503, &["no_rate"])
}

#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "for the document; the handler reads fields")]
pub(in crate::http) struct RatesQuery {
    /// Codes separated by commas, at most 32.
    #[schemars(with = "Codes", example = &"BTC,ETH")]
    from: Option<String>,
    /// Codes separated by commas, at most 32.
    #[schemars(with = "Codes", example = &"EUR,USD")]
    to: Option<String>,
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    query: Parameters<RatesQuery>,
) -> Result<Json<Vec<ExchangeRate>>, Refusal> {
    let (from, to) = query.read(|fields| Some((assets(fields, "from"), assets(fields, "to"))))?;
    let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
    let rates = pairs.map(|(from, to)| {
        let rate = app.rates.rate(from, to).map_err(|_| {
            let detail = format!("No fresh rate from {} to {}.", from.code(), to.code());
            Refusal::unavailable("no_rate", "There is no fresh exchange rate", detail)
        })?;
        Ok(ExchangeRate { from: from.code().into(), to: to.code().into(), rate: rate.to_string().into() })
    });
    Ok(Json(rates.collect::<Result<_, Refusal>>()?))
}

/// Reads codes separated by commas.
fn assets(fields: &mut Fields, name: &str) -> Vec<Asset> {
    let codes = fields.any_text(name).unwrap_or_default();
    if codes.is_empty() {
        fields.error(name, "required", "is required: codes with commas between them, such as BTC,ETH");
        return Vec::new();
    }
    let codes: Vec<&str> = codes.split(',').collect();
    if codes.len() > MOST {
        fields.error(name, "too_many", format!("may have at most {MOST} codes"));
        return Vec::new();
    }
    let mut known = Vec::with_capacity(codes.len());
    for code in codes {
        let is_known = |asset: &Asset| match asset {
            Asset::Crypto(currency) => fields.opt_ins().has_currency(*currency),
            Asset::Fiat(_) | Asset::Gas(_) => true,
        };
        match Asset::known(code).filter(is_known) {
            Some(asset) => known.push(asset),
            None => fields.error(name, "unknown_currency", "has a code that is not a known currency"),
        }
    }
    known
}
