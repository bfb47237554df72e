//! `GET /api/v1/businesses/{id}`. Interface section 2.4.

use serde::{Deserialize, Serialize};

use super::payment::OverpaymentPolicy;
use super::texts::{AmountText, BusinessId, CurrencyCode, FiatCode, SettlementCode, Time, Url};
use super::words::words;

words! {
    /// Theme of the hosted page.
    Theme: "A theme of the checkout page." { Light = "LIGHT", Dark = "DARK", Auto = "AUTO" }
}

/// That of a new business.
impl Default for Theme {
    fn default() -> Self {
        Self::Light
    }
}

/// The settings of a business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Business {
    /// Identifier of the business.
    pub id: BusinessId,
    /// Name of the business.
    pub name: String,
    /// Time of creation.
    pub created_at: Time,
    /// URL that receives the deposit callback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_received_callback_url: Option<Url>,
    /// URL that receives the withdrawal callback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_callback_url: Option<Url>,
    /// Cryptocurrency of the crypto share of settlements; `OWN`: that of each deposit.
    pub settlement_crypto_currency: SettlementCode,
    /// Share of a deposit that is settled in crypto, from 0 to 1.
    pub settlement_crypto_ratio: AmountText,
    /// Fiat currency of settlements. Always `EUR`.
    pub settlement_fiat_currency: FiatCode,
    /// Cryptocurrencies that the business accepts.
    pub supported_deposit_currencies: Vec<CurrencyCode>,
    /// Fiat currencies of the prices of the business.
    pub supported_display_currencies: Vec<FiatCode>,
    /// Handling of an excess: it is refunded (`EXCESS_REFUND`) or credited (`PROCESS`).
    pub overpayment_policy: OverpaymentPolicy,
    /// Whether a deposit to a paid `ONE_TIME` payment is refunded in full.
    pub refund_follow_up_deposits_for_one_time_payments: bool,
    /// Theme of the checkout page.
    pub theme: Theme,
}
