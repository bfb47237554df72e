//! A business, interface section 2.4.

use checkout_core::wire;
use checkout_domain::business::Business;
use checkout_domain::rates::fiat::Fiat;

/// The resource of `GET /api/v1/businesses/{id}`.
pub fn business(business: &Business) -> wire::Business {
    wire::Business {
        id: business.id.to_string().into(),
        name: business.name.clone(),
        created_at: business.created_at.into(),
        deposit_received_callback_url: business.deposit_callback.clone().map(Into::into),
        withdrawal_callback_url: business.withdrawal_callback.clone().map(Into::into),
        settlement_crypto_currency: business.settlement_crypto.map(Into::into),
        settlement_crypto_ratio: business.settlement_ratio.to_string().into(),
        settlement_fiat_currency: Fiat::EUR.code().into(),
        supported_deposit_currencies: business
            .deposit_currencies
            .iter()
            .map(|currency| (*currency).into())
            .collect(),
        supported_display_currencies: business
            .display_currencies
            .iter()
            .map(|fiat| fiat.code().into())
            .collect(),
        overpayment_policy: business.overpayment_policy,
        refund_follow_up_deposits_for_one_time_payments: business.refund_follow_ups,
        theme: business.theme,
    }
}
