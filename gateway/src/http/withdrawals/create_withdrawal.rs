//! `POST /api/v1/withdrawals`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::response::Response;
use checkout_core::{Network, Pair};
use checkout_domain::chain::environment::Environments;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::create_withdrawal::{CreateWithdrawal, TargetPolicy, Withdrawal, WithdrawalAccount};

use crate::http::Shared;
use crate::http::auth::{Bearer, By, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::client_id::client_id;
use crate::http::requests::fields::Fields;
use crate::http::requests::recipient;
use crate::http::resolve_business;
use crate::service::payouts::create_withdrawal;
use crate::service::payouts::withdrawal_request::{Target, WithdrawalRequest};
use crate::texts::amount::{positive_amount, positive_decimal};

const ABOUT: &str = "Sends money from a balance. Recipient, tag, minimum, maximum, precision and balance are checked first, and the recipient \
is screened (AML) before the transfer is sent. The withdrawal callback reports the outcome. The business may have a daily limit \
(`above_daily_limit`) or one for the fee of the network (`above_maximum_fee`), pay whitelisted recipients only (`not_whitelisted`), or have large withdrawals approved: those stay `NEW` until then.\n\n\
`clientWithdrawalId` makes the request idempotent: the same request returns the stored answer with status 200; a different request \
with the same id returns 409.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createWithdrawal")
        .tag(tag::WITHDRAWALS)
        .summary("Initiate a withdrawal")
        .description(ABOUT)
        .answers::<Withdrawal>(201, "The withdrawal. The amount is reserved.")
        .answers::<Withdrawal>(200, "The stored answer to an earlier, identical request, with the status `NEW`. The callback reports the outcome.")
        .leads_to("getWithdrawal", "withdrawalId", "/withdrawId")
        .refuses(400, &["own_address"])
        .refuses(403, &["business_disabled"])
        .refuses(409, &["client_withdrawal_id_taken"])
        .refuses(503, &["outcome_unknown", "no_rate", "network_unavailable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    By(initiator): By,
    Body(fields, _): Body<CreateWithdrawal>,
) -> Result<Response, Refusal> {
    let read = |fields: &mut Fields| read(fields, &app.policy.environments);
    let (business, request) = resolve_business::enabled(&app, caller, fields, read).await?;
    Ok(created(create_withdrawal::create(&app, caller, initiator, &business, &request).await?))
}

/// Reads the body. Interface section 4.8.
pub fn read(fields: &mut Fields, environments: &Environments) -> Option<WithdrawalRequest> {
    let client_withdrawal_id = client_id(fields, "clientWithdrawalId");
    fields.require("withdrawCurrency");
    let currency = fields.currency("withdrawCurrency");
    let pair = recipient::read_pair(fields, currency, Some(Network::Eth));
    let recipient = recipient::read(fields, "recipientAddress", pair, true, environments);
    fields.require("displayCurrency");
    let fiat: Option<Fiat> =
        fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
    fields.require("targetAmountPolicy");
    let policy = fields.word("targetAmountPolicy", TargetPolicy::KNOWN, TargetPolicy::known);
    let target = target(fields, policy, pair, fiat);
    let account = fields.word("withdrawalAccount", WithdrawalAccount::KNOWN, WithdrawalAccount::known);
    Some(WithdrawalRequest {
        client_withdrawal_id: client_withdrawal_id?,
        pair: pair?,
        recipient: recipient?,
        display_currency: fiat?,
        policy: policy?,
        target: target?,
        account: account.unwrap_or(WithdrawalAccount::Crypto),
    })
}

/// Reads `targetAmount` by the minor unit of the display currency, or by the decimals of the pair.
fn target(
    fields: &mut Fields,
    policy: Option<TargetPolicy>,
    pair: Option<&Pair>,
    fiat: Option<Fiat>,
) -> Option<Target> {
    fields.require("targetAmount");
    let text = fields.decimal_text("targetAmount")?;
    // If its currency or the policy is invalid, the amount is checked with the maximum number of places.
    let read = match policy.unwrap_or(TargetPolicy::Crypto) {
        TargetPolicy::Fiat => positive_decimal(&text, fiat.map_or(2, Fiat::decimals)).map(Target::Fiat),
        TargetPolicy::Crypto => {
            positive_amount(&text, pair.map_or(18, |pair| pair.decimals)).map(Target::Crypto)
        }
    };
    fields.accept("targetAmount", read)
}
