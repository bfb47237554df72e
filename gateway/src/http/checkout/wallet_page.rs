//! `GET /checkout/{paymentId}/wallet`: what the page asks a wallet in the payer's browser.

use aide::transform::TransformOperation;
use axum::extract::{Query, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use checkout_domain::chain::OutputState;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::page::WalletRequest;
use checkout_wire::wallet_page::WalletPage;
use schemars::JsonSchema;
use serde::Deserialize;

use super::checkout_page::{PageId, id_of, parameter, payer, session_token};
use crate::http::Shared;
use crate::http::auth::Verified;
use crate::http::middleware::limit::Lookups;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::service::payments::checkout_view;
use crate::service::payments::wallet_signing::Signing;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getWalletPage")
        .tag(tag::CHECKOUT)
        .summary("Get what a wallet in the browser is asked")
        .description(
            "The page asks for it when a wallet announces itself (EIP-6963, TIP-6963), and again just before the wallet is to send or sign: the transaction, the chain and the texts of the page. On TRON the answer for an `account` has what that account signs.",
        )
        .input::<Query<WalletQuery>>()
        .answers::<WalletPage>(200, "What the wallet is asked.")
        .refuses(404, &["not_found"])
        .refuses(503, &["store_unavailable"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the document; the page's address is read as it is")]
pub(in crate::http) struct WalletQuery {
    /// Token of the payment.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    session_token: Option<String>,
    /// Language of the page.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", example = &"en-US")]
    locale: Option<String>,
    /// Account in the wallet, which is to pay.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    account: Option<String>,
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: PageId,
    uri: Uri,
    verified: Option<Extension<Verified>>,
    lookups: Option<Extension<Lookups>>,
) -> Result<Response, Refusal> {
    let mut asked = asked(&app, path, &uri, verified.as_deref()).await?;
    let account = parameter(uri.query().unwrap_or_default(), "account");
    if let (Some(payment), Some(account)) = (&mut asked.page.payment, account)
        && let Some(signing) = Signing::of(&app, payment, asked.deposits)
        && lookups.is_none_or(|lookups| lookups.take(asked.business))
    {
        signing.add(payment, &account).await;
    }
    Ok(fresh(&asked.page))
}

/// Answers for this moment alone.
pub(in crate::http) fn fresh(body: &impl serde::Serialize) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

pub(in crate::http) struct AskedWallet {
    pub(in crate::http) page: WalletPage,
    /// How many deposits the payment has on its chains.
    pub(in crate::http) deposits: usize,
    pub(in crate::http) business: BusinessId,
}

/// As the page shows the payment now. Refused without the right token.
pub(in crate::http) async fn asked(
    app: &App,
    path: PageId,
    uri: &Uri,
    verified: Option<&Verified>,
) -> Result<AskedWallet, Refusal> {
    let query = uri.query().unwrap_or_default();
    let (id, token) = id_of(path).zip(session_token(query)).ok_or_else(Refusal::no_payment)?;
    payer(app, &token, id, verified).await?.ok_or_else(Refusal::no_payment)?;
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    let view = checkout_view::view(app, &record).await?.ok_or_else(Refusal::no_payment)?;
    let page = app.page.wallet(WalletRequest {
        path: uri.path().strip_suffix("/wallet").unwrap_or(uri.path()).to_owned(),
        query: format!("?{query}"),
        account: parameter(query, "account"),
        view: Box::new(view),
        now: app.clock.now_millis(),
    });
    // One that left the chain may come back: the same transaction is signed again.
    let stay = record.deposits.iter().filter(|deposit| deposit.state != OutputState::Vanished);
    Ok(AskedWallet { page, deposits: stay.count(), business: record.payment.business })
}
