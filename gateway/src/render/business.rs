//! A business, interface section 2.4.

use checkout_domain::business::Business;
use checkout_domain::business::logo::Logo;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::rules::Rules;
use checkout_wire as wire;
use checkout_wire::manage_businesses::{BusinessTerms, EventEndpoint, ManagedBusiness};

/// The resource of `GET /api/v1/businesses/{id}`.
pub fn business(business: &Business) -> wire::Business {
    wire::Business {
        id: business.id.to_string().into(),
        name: business.name.clone(),
        created_at: business.created_at.into(),
        deposit_received_callback_url: business.deposit_callback.clone().map(Into::into),
        withdrawal_callback_url: business.withdrawal_callback.clone().map(Into::into),
        settlement_crypto_currency: business.settlement_crypto.into(),
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

/// The same as a merchant's own token sees it.
pub fn own(found: &Business) -> ManagedBusiness {
    ManagedBusiness { business: business(found), events: events(found), terms: None }
}

/// With what only an organisation key sees.
pub fn managed(found: &Business, rules: &Rules) -> ManagedBusiness {
    let text = |value: &dyn ToString| value.to_string().into();
    ManagedBusiness {
        business: business(found),
        events: events(found),
        terms: Some(BusinessTerms {
            disabled: found.disabled,
            allowed_origins: found.allowed_origins.clone(),
            deposit_pairs: found.deposit_choices().iter().map(ToString::to_string).collect(),
            refund_address: found.refund_address,
            underpayment_tolerance: found.underpayment_tolerance.map(|share| text(&share)),
            instant_deposit_limit: found.instant_deposit_limit.map(|limit| text(&limit)),
            brand_color: found.brand_color.map(|color| color.to_string()),
            logo_path: found.logo.as_deref().map(Logo::path),
            support_url: found.support_url.clone(),
            daily_withdrawal_limit: rules.daily_limit.map(|limit| text(&limit)),
            withdrawal_approval_above: rules.approval_above.map(|limit| text(&limit)),
            claim_limit: rules.claim_limit.map(|limit| text(&limit)),
            maximum_network_fee: rules.maximum_network_fee.map(|limit| text(&limit)),
            whitelist_only: rules.whitelist_only,
            greenfield: found.greenfield.is_some(),
        }),
    }
}

fn events(found: &Business) -> Option<EventEndpoint> {
    let event_url = found.event_url.clone()?.into();
    Some(EventEndpoint { event_url, events: found.events.iter().map(ToString::to_string).collect() })
}
