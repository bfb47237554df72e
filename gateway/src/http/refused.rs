//! Converts refused requests to problems, and answers to their status.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::problem::Refusal;
use crate::service::refused::{Answer, ClientId, Refused};

/// 201, or 200 if the same request was answered before.
pub fn created<T: Serialize>(answer: Answer<T>) -> Response {
    let status = if answer.replayed { StatusCode::OK } else { StatusCode::CREATED };
    (status, Json(answer.body)).into_response()
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NotAllowed => Self::no_route(),
            Refused::Invalid(errors) => Self::invalid(errors),
            Refused::Taken(id) => Self::conflict(
                match id {
                    ClientId::Payment => "client_payment_id_taken",
                    ClientId::Withdrawal => "client_withdrawal_id_taken",
                    ClientId::Address => "client_address_id_taken",
                },
                "The id is taken",
                &format!("A different request has already used this {}. Nothing was changed.", id.field()),
            ),
            Refused::NetworkUnavailable(network) => {
                let detail = format!("Withdrawals on {network} are unavailable at the moment.");
                Self::unavailable("network_unavailable", "The network is not available", detail)
            }
            Refused::NoRate(missing) => {
                Self::unavailable("no_rate", "There is no fresh exchange rate", missing.to_string())
            }
            Refused::Store(error) => error.into(),
        }
    }
}
