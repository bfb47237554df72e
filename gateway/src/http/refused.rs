//! Converts refused requests to problems, and answers to their status.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::problem::Refusal;
use crate::service::refused::{ClientId, Created, Refused};

/// 201, or 200 if the same request was answered before.
pub fn created<T: Serialize>(answer: Created<T>) -> Response {
    let status = if answer.replayed { StatusCode::OK } else { StatusCode::CREATED };
    (status, Json(answer.body)).into_response()
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Invalid(errors) => Self::invalid(errors),
            Refused::OwnAddress(field) => Self::own_address(field),
            Refused::AddressChanged => {
                let detail = "Its address, tag or amount are not those that the request names. Look at it again. Nothing was changed.";
                Self::conflict("address_changed", "It is not what was seen", detail)
            }
            Refused::SameInitiator => {
                let detail = "Who asked for it, or named its address, does not approve it: another credential or operator does, or `checkout payouts approve`. Nothing was changed.";
                Self::new(StatusCode::FORBIDDEN, "same_initiator", "Somebody else has to approve it", detail)
            }
            Refused::Disabled => {
                let detail = "The operator of the gateway disabled this business. Payments that exist go on.";
                Self::new(StatusCode::FORBIDDEN, "business_disabled", "The business is disabled", detail)
            }
            Refused::Taken(id) => Self::conflict(
                match id {
                    ClientId::Payment => "client_payment_id_taken",
                    ClientId::Withdrawal => "client_withdrawal_id_taken",
                    ClientId::Refund => "client_refund_id_taken",
                    ClientId::Address => "client_address_id_taken",
                    ClientId::SaleLink => "client_link_id_taken",
                    ClientId::CounterSale => "sale_number_taken",
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
            Refused::NoPayment => Self::no_payment(),
            Refused::PaymentOpen => {
                let detail = "The payer can still pay it. Refund it once it is paid, expired or cancelled.";
                Self::conflict("payment_open", "The payment is open", detail)
            }
            Refused::NothingToRefund => {
                let detail = "The payment has no confirmed deposit of which something is not given back.";
                Self::conflict("nothing_to_refund", "There is nothing to refund", detail)
            }
            Refused::NoRefund => Self::no_refund(),
            Refused::RefundState(state) => Self::conflict(
                "refund_state",
                "The refund is in another state",
                &format!("The refund {state}."),
            ),
            Refused::NoClaim => Self::not_found("This payment has no such money to ask for."),
            Refused::Claimed => {
                let detail = "This was asked for before, to another address. Only the merchant can change where it goes. Nothing was changed.";
                Self::conflict("already_claimed", "It was asked for before", detail)
            }
            Refused::NotClaimable => {
                let detail = "It cannot be paid out at the moment. Ask the merchant. Nothing was changed.";
                Self::conflict("not_claimable", "It cannot be asked for", detail)
            }
            Refused::NotWhitelisted => {
                let detail = "The business pays to whitelisted addresses only, and this one is not whitelisted with its tag for long enough.";
                Self::conflict("not_whitelisted", "The address is not whitelisted", detail)
            }
            Refused::RefundLimit => {
                let detail = "It is above a limit of the business's withdrawals, alone or with those of the last 24 hours. Nothing was changed. An operator sends an automatic refund: `checkout refunds send`.";
                Self::conflict("above_limit", "The refund is above a limit", detail)
            }
            Refused::NoCounter => Self::bad_token(),
            Refused::NoSaleLink => Self::no_sale_link(),
            Refused::SlugTaken => {
                let detail = "Another sale link of this gateway has this slug. A link that was withdrawn keeps its slug. Nothing was changed.";
                Self::conflict("slug_taken", "The slug is taken", detail)
            }
            Refused::OnlyOrganisation => {
                let detail = "The refund is above a limit of the business. An organisation key or an operator approves it.";
                Self::new(StatusCode::FORBIDDEN, "organisation_only", "The token may not do this", detail)
            }
            Refused::Store(error) => error.into(),
        }
    }
}
