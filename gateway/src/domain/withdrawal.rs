//! A stored withdrawal.

pub mod recipient;
pub mod request;
pub mod rules;
pub mod whitelist;

use checkout_core::wire;
use checkout_core::wire::create_withdrawal::{TargetPolicy, WithdrawalAccount, WithdrawalStatus};
use checkout_core::{Amount, Decimal, Pair};
use uuid::Uuid;

use crate::domain::chain::screening::AddressOwner;
use crate::domain::ledger::money::Money;
use crate::domain::rates::fiat::Fiat;

#[derive(Clone, Debug)]
pub struct Withdrawal {
    pub id: Uuid,
    pub business: Uuid,
    pub client_withdrawal_id: String,
    pub pair: &'static Pair,
    /// As the merchant wrote it, with `?dt=<tag>` if it has a tag.
    pub recipient: String,
    /// In normal form.
    pub to: String,
    pub tag: Option<String>,
    pub policy: TargetPolicy,
    pub account: WithdrawalAccount,
    /// The kind of credential: `BUSINESS_TOKEN` or `ORGANISATION_KEY`.
    pub initiated_by: String,
    pub status: WithdrawalStatus,
    /// The amount that the recipient receives.
    pub amount: Amount,
    /// The chain fee, charged in addition to `amount`.
    pub fee: Amount,
    pub display_currency: Fiat,
    pub display_amount: Decimal,
    pub display_fee: Decimal,
    pub display_service_fee: Decimal,
    /// The total charged to the balance: amount, chain fee and service fee, in the balance's currency.
    pub deducted: Money,
    pub service_fee: Money,
    /// In EUR.
    pub uniform_amount: Decimal,
    pub uniform_service_fee: Decimal,
    /// Known once the address is screened.
    pub owner: Option<AddressOwner>,
    /// Known once the transaction is signed.
    pub transaction_id: Option<String>,
    pub created_at: u64,
}

impl Withdrawal {
    /// The cause of the ledger entry that charged the balance.
    pub fn cause(&self) -> String {
        format!("withdrawal/{}", self.id)
    }

    /// The resource of interface section 2.7, with this status.
    pub fn to_wire(&self, status: WithdrawalStatus) -> wire::Withdrawal {
        let fiat = self.display_currency;
        wire::Withdrawal {
            withdraw_id: self.id.to_string(),
            client_withdraw_id: self.client_withdrawal_id.clone(),
            recipient_address: self.recipient.clone(),
            network: self.pair.network.code().to_owned(),
            initiated_by: self.initiated_by.clone(),
            status,
            display_currency: fiat.code().to_owned(),
            display_service_fee: fiat.text(self.display_service_fee),
            withdraw_currency: self.pair.currency.code().to_owned(),
            settlement_currency: self.deducted.asset.code().to_owned(),
            estimated_display_amount: fiat.text(self.display_amount),
            estimated_withdraw_amount: self.amount.to_text(self.pair.decimals),
            settlement_deducted_amount: self.deducted.to_string(),
            settlement_service_fee: self.service_fee.to_string(),
            uniform_amount: Fiat::EUR.text(self.uniform_amount),
            uniform_currency: Fiat::EUR.code().to_owned(),
            uniform_service_fee: Fiat::EUR.text(self.uniform_service_fee),
            created_at: self.created_at,
        }
    }
}
