//! A business, interface section 2.4.

use checkout_core::{Currency, wire};
use checkout_domain::business::Business;
use checkout_domain::rates::fiat::Fiat;

/// The resource of `GET /api/v1/businesses/{id}`.
pub fn business(business: &Business) -> wire::Business {
    wire::Business {
        id: business.id.to_string(),
        name: business.name.clone(),
        created_at: business.created_at,
        deposit_received_callback_url: business.deposit_callback.clone(),
        withdrawal_callback_url: business.withdrawal_callback.clone(),
        settlement_crypto_currency: business.settlement_crypto.code().to_owned(),
        settlement_crypto_ratio: business.settlement_ratio.to_string(),
        settlement_fiat_currency: Fiat::EUR.code().to_owned(),
        supported_deposit_currencies: codes(&business.deposit_currencies, Currency::code),
        supported_display_currencies: codes(&business.display_currencies, Fiat::code),
        overpayment_policy: business.overpayment_policy,
        refund_follow_up_deposits_for_one_time_payments: business.refund_follow_ups,
        theme: business.theme,
    }
}

fn codes<T: Copy>(rows: &[T], code: impl Fn(T) -> &'static str) -> Vec<String> {
    rows.iter().map(|row| code(*row).to_owned()).collect()
}
