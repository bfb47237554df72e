//! Every route of the gateway but its static files and what only the console asks for: one row each. A row does not compile without what the document
//! says of it.

use axum::Router;
use axum::routing::{MethodRouter, get, patch, post};

use super::openapi::operation::Operation;
use super::{
    Shared, checkout_page, create_payment, create_withdrawal, docs, get_business, get_checkout, get_payment,
    get_rates, health, list_currencies, metrics, openapi, sandbox, update_payment, validate_address,
    whitelist_addresses, withdraw_fees,
};

/// Who a route is for, from which follow its layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Area {
    /// Back ends: no browser has a business token, so no CORS.
    Merchant,
    /// Payers' browsers, too, from the origins that the merchant allows.
    Session,
    /// Everybody.
    Public,
    /// Supervisors, without limits.
    Supervisor,
    /// The control API of the simulated world; not there without it.
    Sandbox,
}

pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) area: Area,
    handler: fn() -> MethodRouter<Shared>,
    pub(super) operation: fn() -> Operation,
}

const fn row(
    method: &'static str,
    path: &'static str,
    area: Area,
    handler: fn() -> MethodRouter<Shared>,
    operation: fn() -> Operation,
) -> Route {
    Route { method, path, area, handler, operation }
}

use Area::{Merchant, Public, Sandbox, Session, Supervisor};

#[rustfmt::skip]
static ROUTES: &[Route] = &[
    row("POST", "/api/v1/payments", Merchant, || post(create_payment::handle), create_payment::operation),
    row("GET", "/api/v1/payments/{paymentId}", Session, || get(get_payment::handle), get_payment::operation),
    row("PATCH", "/api/v1/payments/{paymentId}", Session, || patch(update_payment::handle), update_payment::operation),
    row("GET", "/api/v1/businesses/{id}", Merchant, || get(get_business::handle), get_business::operation),
    row("POST", "/api/v1/withdrawals", Merchant, || post(create_withdrawal::handle), create_withdrawal::operation),
    row("GET", "/whitelist-addresses", Merchant, || get(whitelist_addresses::list), whitelist_addresses::list_operation),
    row("POST", "/whitelist-addresses", Merchant, || post(whitelist_addresses::add), whitelist_addresses::add_operation),
    row("GET", "/api/v1/currency/{withdrawalCurrency}/network/{network}/address/{address}/valid", Public,
        || get(validate_address::without_tag), validate_address::operation),
    row("GET", "/api/v1/currency/{withdrawalCurrency}/network/{network}/address/{address}/destinationTag/{destinationTag}/valid", Public,
        || get(validate_address::with_tag), validate_address::tag_operation),
    row("POST", "/api/v1/addresses/validate", Public, || post(validate_address::deprecated), validate_address::deprecated_operation),
    row("GET", "/api/v1/currencies", Public, || get(list_currencies::handle), list_currencies::operation),
    row("GET", "/api/v1/rates", Public, || get(get_rates::handle), get_rates::operation),
    row("GET", "/api/v1/fees/withdraw/{coin}", Public, || get(withdraw_fees::handle), withdraw_fees::operation),
    row("GET", "/api/v1/checkout/{paymentId}", Session, || get(get_checkout::handle), get_checkout::operation),
    row("GET", "/checkout/{paymentId}", Public, || get(checkout_page::handle), checkout_page::operation),
    row("GET", "/api/openapi.json", Public, || get(openapi::handle), openapi::operation),
    row("GET", "/api/docs", Public, || get(docs::handle), docs::operation),
    row("GET", "/healthz", Supervisor, || get(health::alive), health::alive_operation),
    row("GET", "/readyz", Supervisor, || get(health::ready), health::ready_operation),
    row("POST", "/sandbox/transfers", Sandbox, || post(sandbox::transfers), sandbox::operations::transfers),
    row("POST", "/sandbox/blocks", Sandbox, || post(sandbox::blocks), sandbox::operations::blocks),
    row("POST", "/sandbox/reorgs", Sandbox, || post(sandbox::reorgs), sandbox::operations::reorgs),
    row("POST", "/sandbox/drops", Sandbox, || post(sandbox::drops), sandbox::operations::drops),
    row("POST", "/sandbox/flags", Sandbox, || post(sandbox::flags), sandbox::operations::flags),
    row("POST", "/sandbox/clock", Sandbox, || post(sandbox::clock), sandbox::operations::clock),
    row("POST", "/sandbox/rates", Sandbox, || post(sandbox::rates), sandbox::operations::rates),
    row("GET", "/metrics", Sandbox, || get(metrics::handle), metrics::operation),
];

/// The routes of a gateway with or without a sandbox.
pub(super) fn all(sandbox: bool) -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(move |route| sandbox || route.area != Area::Sandbox)
}

/// The routes of one area, without its layers.
pub(super) fn of(area: Area) -> Router<Shared> {
    let rows = ROUTES.iter().filter(|route| route.area == area);
    rows.fold(Router::new(), |router, route| router.route(route.path, (route.handler)()))
}
