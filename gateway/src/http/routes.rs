//! The routes of the gateway by audience, except static files and the sandbox's own.

use aide::axum::ApiRouter;
use aide::axum::routing::{get_with as get, patch_with as patch, post_with as post};

use super::Shared;
use super::businesses::{
    create_business, get_business, list_businesses, rotate_credentials, update_business,
};
use super::callbacks::{list_callbacks, resend_callback, test_callback};
use super::checkout::{
    checkout_page, claim_page, form_page, get_checkout, logo, lookup_page, receipt_page,
    send_wallet_transaction, wallet_page,
};
use super::counters::{counter_page, counter_sales, manage_counters as counters, own_counter};
use super::openapi::{self, limited};
use super::payments::{
    accept_payment, cancel_payment, create_payment, decide_deposit, get_payment, list_deposits,
    list_payment_deposits, list_payments, list_quotes, update_payment,
};
use super::public::{get_rates, health, list_currencies, validate_address};
use super::refunds::{claim_refund, create_refund, decide_refund, get_refund, list_refunds};
use super::sales::{buy_page, create_sale_link, list_sale_links, withdraw_sale_link};
use super::withdrawals::{
    create_withdrawal, decide_withdrawal, get_withdrawal, list_balances, list_ledger, list_withdrawals,
    whitelist_addresses, withdraw_fees,
};

/// For back ends. Browsers have no business token, so there is no CORS.
#[rustfmt::skip]
pub(super) fn merchant() -> ApiRouter<Shared> {
    use whitelist_addresses as whitelist;
    ApiRouter::new()
        .api_route_with("/api/v1/payments", get(list_payments::handle, list_payments::operation), limited)
        .api_route_with("/api/v1/payments", post(create_payment::handle, create_payment::operation), limited)
        .api_route_with("/api/v1/payments/{paymentId}/accept", post(accept_payment::handle, accept_payment::operation), limited)
        .api_route_with("/api/v1/payments/{paymentId}/cancel", post(cancel_payment::handle, cancel_payment::operation), limited)
        .api_route_with("/api/v1/payments/{paymentId}/quotes", get(list_quotes::handle, list_quotes::operation), limited)
        .api_route_with("/api/v1/businesses/{id}", get(get_business::handle, get_business::operation), limited)
        .api_route_with("/api/v1/businesses", get(list_businesses::handle, list_businesses::operation), limited)
        .api_route_with("/api/v1/businesses", post(create_business::handle, create_business::operation), limited)
        .api_route_with("/api/v1/businesses/{id}", patch(update_business::handle, update_business::operation), limited)
        .api_route_with("/api/v1/businesses/{id}/rotate-token", post(rotate_credentials::token, rotate_credentials::token_operation), limited)
        .api_route_with("/api/v1/businesses/{id}/rotate-secret", post(rotate_credentials::secret, rotate_credentials::secret_operation), limited)
        .api_route_with("/api/v1/businesses/{id}/test-callback", post(test_callback::handle, test_callback::operation), limited)
        .api_route_with("/api/v1/withdrawals", post(create_withdrawal::handle, create_withdrawal::operation), limited)
        .api_route_with("/api/v1/withdrawals", get(list_withdrawals::handle, list_withdrawals::operation), limited)
        .api_route_with("/api/v1/withdrawals/{withdrawalId}", get(get_withdrawal::handle, get_withdrawal::operation), limited)
        .api_route_with("/api/v1/withdrawals/{withdrawalId}/approve", post(decide_withdrawal::approve, decide_withdrawal::approve_operation), limited)
        .api_route_with("/api/v1/withdrawals/{withdrawalId}/reject", post(decide_withdrawal::reject, decide_withdrawal::reject_operation), limited)
        .api_route_with("/api/v1/withdrawals/{withdrawalId}/cancel", post(decide_withdrawal::cancel, decide_withdrawal::cancel_operation), limited)
        .api_route_with("/api/v1/payments/{paymentId}/refunds", post(create_refund::handle, create_refund::operation), limited)
        .api_route_with("/api/v1/refunds", get(list_refunds::handle, list_refunds::operation), limited)
        .api_route_with("/api/v1/refunds/{refundId}", get(get_refund::handle, get_refund::operation), limited)
        .api_route_with("/api/v1/refunds/{refundId}/address", post(decide_refund::address, decide_refund::address_operation), limited)
        .api_route_with("/api/v1/refunds/{refundId}/approve", post(decide_refund::approve, decide_refund::approve_operation), limited)
        .api_route_with("/api/v1/refunds/{refundId}/refuse", post(decide_refund::refuse, decide_refund::refuse_operation), limited)
        .api_route_with("/api/v1/refunds/{refundId}/cancel", post(decide_refund::cancel, decide_refund::cancel_operation), limited)
        .api_route_with("/api/v1/balances", get(list_balances::handle, list_balances::operation), limited)
        .api_route_with("/api/v1/deposits", get(list_deposits::handle, list_deposits::operation), limited)
        .api_route_with("/api/v1/deposits/{depositId}/release", post(decide_deposit::release, decide_deposit::release_operation), limited)
        .api_route_with("/api/v1/deposits/{depositId}/refuse", post(decide_deposit::refuse, decide_deposit::refuse_operation), limited)
        .api_route_with("/api/v1/ledger", get(list_ledger::handle, list_ledger::operation), limited)
        .api_route_with("/api/v1/sale-links", get(list_sale_links::list, list_sale_links::list_operation), limited)
        .api_route_with("/api/v1/sale-links", post(create_sale_link::handle, create_sale_link::operation), limited)
        .api_route_with("/api/v1/sale-links/{linkId}", get(list_sale_links::get, list_sale_links::get_operation), limited)
        .api_route_with("/api/v1/sale-links/{linkId}/withdraw", post(withdraw_sale_link::handle, withdraw_sale_link::operation), limited)
        .api_route_with("/api/v1/counters", get(counters::list, counters::list_operation), limited)
        .api_route_with("/api/v1/counters", post(counters::create, counters::create_operation), limited)
        .api_route_with("/api/v1/counters/{counterId}/withdraw", post(counters::withdraw, counters::withdraw_operation), limited)
        .api_route_with("/api/v1/counter", get(own_counter::handle, own_counter::operation), limited)
        .api_route_with("/api/v1/counter/sales", post(counter_sales::create, counter_sales::create_operation), limited)
        .api_route_with("/api/v1/counter/sales/{paymentId}", get(counter_sales::get, counter_sales::get_operation), limited)
        .api_route_with("/api/v1/counter/sales/{paymentId}/cancel", post(counter_sales::cancel, counter_sales::cancel_operation), limited)
        .api_route_with("/api/v1/callbacks", get(list_callbacks::handle, list_callbacks::operation), limited)
        .api_route_with("/api/v1/callbacks/{callbackId}/resend", post(resend_callback::handle, resend_callback::operation), limited)
        .api_route_with("/whitelist-addresses", get(whitelist::list, whitelist::list_operation), limited)
        .api_route_with("/whitelist-addresses", post(whitelist::add, whitelist::add_operation), limited)
}

/// Also for browsers of payers, from the origins that the merchant allows.
#[rustfmt::skip]
pub(super) fn session() -> ApiRouter<Shared> {
    ApiRouter::new()
        .api_route_with("/api/v1/payments/{paymentId}", get(get_payment::handle, get_payment::operation), limited)
        .api_route_with("/api/v1/payments/{paymentId}", patch(update_payment::handle, update_payment::operation), limited)
        .api_route_with("/api/v1/payments/{paymentId}/deposits", get(list_payment_deposits::handle, list_payment_deposits::operation), limited)
        .api_route_with("/api/v1/checkout/{paymentId}", get(get_checkout::handle, get_checkout::operation), limited)
        .api_route_with("/api/v1/checkout/{paymentId}/claims", post(claim_refund::handle, claim_refund::operation), limited)
}

/// Without a token.
#[rustfmt::skip]
pub(super) fn public() -> ApiRouter<Shared> {
    use validate_address as validate;
    const VALID: &str = "/api/v1/currency/{withdrawalCurrency}/network/{network}/address/{address}/valid";
    const TAGGED: &str = "/api/v1/currency/{withdrawalCurrency}/network/{network}/address/{address}/destinationTag/{destinationTag}/valid";
    ApiRouter::new()
        .api_route_with(VALID, get(validate::without_tag, validate::operation), limited)
        .api_route_with(TAGGED, get(validate::with_tag, validate::tag_operation), limited)
        .api_route_with("/api/v1/addresses/validate", post(validate::deprecated, validate::deprecated_operation), limited)
        .api_route_with("/api/v1/currencies", get(list_currencies::handle, list_currencies::operation), limited)
        .api_route_with("/api/v1/rates", get(get_rates::handle, get_rates::operation), limited)
        .api_route_with("/api/v1/fees/withdraw/{coin}", get(withdraw_fees::handle, withdraw_fees::operation), limited)
        .api_route_with(checkout_page::ROUTE, get(checkout_page::handle, checkout_page::operation), limited)
        .api_route_with(checkout_page::ROUTE, post(checkout_page::choose, checkout_page::choose_operation), limited)
        .api_route_with(checkout_page::CLAIM_ROUTE, get(form_page::reopen, claim_page::reopen_operation), limited)
        .api_route_with(checkout_page::CLAIM_ROUTE, post(claim_page::handle, claim_page::operation), limited)
        .api_route_with(checkout_page::WALLET_ROUTE, get(wallet_page::handle, wallet_page::operation), limited)
        .api_route_with(checkout_page::WALLET_ROUTE, post(send_wallet_transaction::handle, send_wallet_transaction::operation), limited)
        .api_route_with(checkout_page::LOOKUP_ROUTE, get(form_page::reopen, lookup_page::reopen_operation), limited)
        .api_route_with(checkout_page::LOOKUP_ROUTE, post(lookup_page::handle, lookup_page::operation), limited)
        .api_route_with(checkout_page::RECEIPT_ROUTE, get(form_page::reopen, receipt_page::reopen_operation), limited)
        .api_route_with(checkout_page::RECEIPT_ROUTE, post(receipt_page::handle, receipt_page::operation), limited)
        .api_route_with(buy_page::ROUTE, get(buy_page::show, buy_page::show_operation), limited)
        .api_route_with(buy_page::PRINT_ROUTE, get(buy_page::print, buy_page::print_operation), limited)
        .api_route_with(buy_page::ROUTE, post(buy_page::press, buy_page::press_operation), limited)
        .api_route_with("/counter", get(counter_page::handle, counter_page::operation), limited)
        .api_route_with("/logos/{file}", get(logo::handle, logo::operation), limited)
        .api_route_with("/api/openapi.json", get(openapi::handle, openapi::operation), limited)
}

/// For monitoring, without limits.
pub(super) fn health() -> ApiRouter<Shared> {
    ApiRouter::new()
        .api_route("/healthz", get(health::alive, health::alive_operation))
        .api_route("/readyz", get(health::ready, health::ready_operation))
}

/// All routes, with those of another crate.
pub(super) fn all(extra: fn() -> ApiRouter<Shared>) -> ApiRouter<Shared> {
    merchant().merge(session()).merge(public()).merge(health()).merge(extra())
}
