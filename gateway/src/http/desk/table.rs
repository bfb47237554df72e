//! Which role may call which route of the public API at the desk. A route that is not here is refused.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use checkout_core::Decimal;
use checkout_domain::access::operator::Role;
use checkout_domain::ledger::money::Round;
use checkout_domain::payment::deposit::Deposit;

use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::service::App;

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PATCH: Method = Method::PATCH;

/// Method, path, and the least role.
#[rustfmt::skip]
pub const TABLE: &[(Method, &str, Role)] = &[
    (GET, "/api/v1/payments", Role::Viewer),
    (POST, "/api/v1/payments", Role::Manager),
    (GET, "/api/v1/payments/{paymentId}", Role::Viewer),
    (PATCH, "/api/v1/payments/{paymentId}", Role::Manager),
    (POST, "/api/v1/payments/{paymentId}/accept", Role::Manager),
    (POST, "/api/v1/payments/{paymentId}/cancel", Role::Support),
    (GET, "/api/v1/payments/{paymentId}/deposits", Role::Viewer),
    (GET, "/api/v1/payments/{paymentId}/quotes", Role::Viewer),
    (POST, "/api/v1/payments/{paymentId}/refunds", Role::Support),
    (GET, "/api/v1/refunds", Role::Viewer),
    (GET, "/api/v1/refunds/{refundId}", Role::Viewer),
    (POST, "/api/v1/refunds/{refundId}/address", Role::Manager),
    (POST, "/api/v1/refunds/{refundId}/approve", Role::Manager),
    (POST, "/api/v1/refunds/{refundId}/refuse", Role::Manager),
    (POST, "/api/v1/refunds/{refundId}/cancel", Role::Manager),
    (GET, "/api/v1/checkout/{paymentId}", Role::Viewer),
    (GET, "/api/v1/businesses", Role::Viewer),
    (POST, "/api/v1/businesses", Role::Manager),
    (GET, "/api/v1/businesses/{id}", Role::Viewer),
    (PATCH, "/api/v1/businesses/{id}", Role::Manager),
    (POST, "/api/v1/businesses/{id}/rotate-token", Role::Manager),
    (POST, "/api/v1/businesses/{id}/rotate-secret", Role::Manager),
    (POST, "/api/v1/businesses/{id}/test-callback", Role::Manager),
    (GET, "/api/v1/withdrawals", Role::Viewer),
    (POST, "/api/v1/withdrawals", Role::Manager),
    (GET, "/api/v1/withdrawals/{withdrawalId}", Role::Viewer),
    (POST, "/api/v1/withdrawals/{withdrawalId}/approve", Role::Manager),
    (POST, "/api/v1/withdrawals/{withdrawalId}/reject", Role::Manager),
    (POST, "/api/v1/withdrawals/{withdrawalId}/cancel", Role::Manager),
    (GET, "/api/v1/balances", Role::Viewer),
    (GET, "/api/v1/deposits", Role::Viewer),
    (POST, "/api/v1/deposits/{depositId}/release", Role::Manager),
    (POST, "/api/v1/deposits/{depositId}/refuse", Role::Manager),
    (GET, "/api/v1/ledger", Role::Viewer),
    (GET, "/api/v1/sale-links", Role::Viewer),
    (POST, "/api/v1/sale-links", Role::Manager),
    (GET, "/api/v1/sale-links/{linkId}", Role::Viewer),
    (POST, "/api/v1/sale-links/{linkId}/withdraw", Role::Manager),
    (GET, "/api/v1/counters", Role::Viewer),
    (POST, "/api/v1/counters", Role::Manager),
    (POST, "/api/v1/counters/{counterId}/withdraw", Role::Manager),
    (GET, "/api/v1/callbacks", Role::Viewer),
    (POST, "/api/v1/callbacks/{callbackId}/resend", Role::Support),
    (GET, "/whitelist-addresses", Role::Viewer),
    (POST, "/whitelist-addresses", Role::Manager),
    (GET, "/api/v1/currency/{withdrawalCurrency}/network/{network}/address/{address}/valid", Role::Viewer),
    (GET, "/api/v1/currency/{withdrawalCurrency}/network/{network}/address/{address}/destinationTag/{destinationTag}/valid", Role::Viewer),
    (GET, "/api/v1/currencies", Role::Viewer),
    (GET, "/api/v1/rates", Role::Viewer),
    (GET, "/api/v1/fees/withdraw/{coin}", Role::Viewer),
    (GET, "/readyz", Role::Viewer),
];

/// Routes that `support` may use up to a limit.
const REFUNDS: &str = "/api/v1/payments/{paymentId}/refunds";

/// The least role for a route; `None` if nobody may call it.
pub fn least_role(method: &Method, path: &str) -> Option<Role> {
    let method = if method == Method::HEAD { &GET } else { method };
    TABLE.iter().find(|(known, route, _)| known == method && *route == path).map(|(.., role)| *role)
}

#[derive(Clone)]
pub(super) struct RoleLimits {
    pub(super) app: Arc<App>,
    /// In EUR; `None`: none.
    pub(super) support_refund_limit: Option<Decimal>,
}

/// Refuses what the role in the request's extensions may not do.
pub(super) async fn only(State(limits): State<RoleLimits>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", |path| path.as_str());
    let role = request.extensions().get::<Role>().copied();
    let role = match allowed(request.method(), route, role) {
        Ok(role) => role,
        Err(refusal) => return refusal.into_response(),
    };
    if role == Role::Support && route == REFUNDS && !request.method().is_safe() {
        let path = request.uri().path().to_owned();
        if let Err(refusal) = limits.check_refund(&path).await {
            return refusal.into_response();
        }
    }
    next.run(request).await
}

/// The role, if it may call the route.
fn allowed(method: &Method, route: &str, role: Option<Role>) -> Result<Role, Refusal> {
    let least = least_role(method, route).ok_or_else(not_here)?;
    role.filter(|role| *role >= least).ok_or_else(|| too_low(least))
}

impl RoleLimits {
    /// All refunds of a payment together return at most what it received, so that many small ones are no way around the limit. A
    /// deposit for which there was no rate is above it.
    async fn check_refund(&self, path: &str) -> Result<(), Refusal> {
        let Some(limit) = self.support_refund_limit else { return Ok(()) };
        let id = path.split('/').nth(REFUNDS.split('/').position(|part| part == "{paymentId}").unwrap_or(0));
        // The route also matches an id in another spelling: what cannot be read here is refused.
        let id = id.and_then(id::payment).ok_or_else(Refusal::no_payment)?;
        let found = self.app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
        let booked = self.app.store.begin().await?.booked(id).await?;
        let worth =
            |deposit: &Deposit| booked.get(&deposit.id)?.worth(deposit.amount, deposit.pair(), Round::Down);
        let received: Option<Decimal> = found.deposits.iter().map(worth).sum();
        if received.is_some_and(|received| received <= limit) {
            return Ok(());
        }
        let detail = format!(
            "`support` refunds payments that received up to {limit} EUR; a manager refunds this one."
        );
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "refund_limit",
            "Your role may not refund this payment",
            detail,
        ))
    }
}

fn not_here() -> Refusal {
    let detail = "The desk does not pass this request on.";
    Refusal::new(StatusCode::FORBIDDEN, "not_at_the_desk", "Not possible at the desk", detail)
}

/// 403: the operator's role may not do this.
pub(super) fn too_low(least: Role) -> Refusal {
    let detail = format!("This needs the role `{}`.", least.as_str());
    Refusal::new(StatusCode::FORBIDDEN, "role", "Your role may not do this", detail)
}
