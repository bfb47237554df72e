//! `GET /api/v1/rates?from=BTC,ETH&to=EUR,USD`

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use checkout_core::wire::FieldError;
use checkout_core::wire::list_rates::ExchangeRate;
use serde::Deserialize;

use super::Shared;
use super::openapi::operation::{Operation, Tag};
use super::problem::Refusal;
use crate::domain::rates::asset::Asset;
use serde_json::json;

/// More pairs than there are currencies are no honest question.
const MOST: usize = 32;

pub(super) fn operation() -> Operation {
    let about = "Every rate from each of the first to each of the second, fiat and crypto.";
    let codes = json!({"pattern": "^[A-Z]+(,[A-Z]+)*$", "enum": null});
    Operation::new("getRates", Tag::Market, "Get exchange rates", about)
        .required_query("from", codes.clone(), "Codes with commas between them, at most 32.", "BTC,ETH")
        .required_query("to", codes, "Codes with commas between them, at most 32.", "EUR,USD")
        .answers::<Vec<ExchangeRate>>(200, "The rates.")
        .refuses(422, &["validation_failed"])
        .refuses(503, &["no_rate"])
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Question {
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    question: Result<Query<Question>, QueryRejection>,
) -> Result<Json<Vec<ExchangeRate>>, Refusal> {
    let Query(question) = question.unwrap_or_default();
    let mut faults = Vec::new();
    let from = assets("from", &question.from, &mut faults);
    let to = assets("to", &question.to, &mut faults);
    if !faults.is_empty() {
        return Err(Refusal::invalid(faults));
    }
    let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
    let rates = pairs.map(|(from, to)| {
        let rate = app.rates.rate(from, to).map_err(|_| {
            let detail = format!("No fresh rate from {} to {}.", from.code(), to.code());
            Refusal::unavailable("no_rate", "There is no fresh exchange rate", detail)
        })?;
        Ok(ExchangeRate { from: from.code().to_owned(), to: to.code().to_owned(), rate: rate.to_string() })
    });
    Ok(Json(rates.collect::<Result<_, Refusal>>()?))
}

/// Reads codes with commas between them; the pointers name the parameter.
fn assets(name: &str, codes: &str, faults: &mut Vec<FieldError>) -> Vec<Asset> {
    let mut fault = |code: &str, detail: String| {
        faults.push(FieldError { pointer: format!("/{name}"), code: code.to_owned(), detail });
    };
    if codes.is_empty() {
        fault("required", "is required: codes with commas between them, such as BTC,ETH".to_owned());
        return Vec::new();
    }
    let codes: Vec<&str> = codes.split(',').collect();
    if codes.len() > MOST {
        fault("too_many", format!("may have at most {MOST} codes"));
        return Vec::new();
    }
    let mut known = Vec::with_capacity(codes.len());
    for code in codes {
        match Asset::known(code) {
            Some(asset) => known.push(asset),
            None => fault("unknown_currency", "has a code that is not a known currency".to_owned()),
        }
    }
    known
}
