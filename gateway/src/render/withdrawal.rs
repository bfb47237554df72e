//! A withdrawal, interface section 2.7.

use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire as wire;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::list_withdrawals::{ListedWithdrawal, WithdrawalWait};

use crate::render::memo_type::memo_type;

/// The withdrawal as it is now.
pub fn listed(stored: &Withdrawal) -> ListedWithdrawal {
    ListedWithdrawal {
        withdrawal: withdrawal(stored, stored.status),
        withdraw_fee: stored.fee.to_text(stored.pair.decimals).into(),
        display_fee: stored.display_currency.text(stored.display_fee).into(),
        transaction_id: stored.transaction_id.clone(),
        waiting_for: waits(stored),
        waiting_reason: stored.waits_because().map(|why| why.as_str().to_owned()),
    }
}

fn waits(stored: &Withdrawal) -> Option<WithdrawalWait> {
    let fee = stored.waits_for_fee().then_some(WithdrawalWait::Fee);
    if stored.waits() { Some(WithdrawalWait::Approval) } else { fee }
}

/// The resource with this status.
pub fn withdrawal(withdrawal: &Withdrawal, status: WithdrawalStatus) -> wire::Withdrawal {
    let fiat = withdrawal.display_currency;
    wire::Withdrawal {
        withdraw_id: withdrawal.id.to_string().into(),
        client_withdraw_id: withdrawal.client_withdrawal_id.clone().into(),
        recipient_address: withdrawal.recipient.clone(),
        memo_type: memo_type(withdrawal.pair.network, withdrawal.tag.as_deref()),
        network: withdrawal.pair.network.into(),
        initiated_by: withdrawal.initiated_by.clone(),
        status,
        display_currency: fiat.code().into(),
        display_service_fee: fiat.text(withdrawal.display_service_fee).into(),
        withdraw_currency: withdrawal.pair.currency.into(),
        settlement_currency: withdrawal.deducted.asset.code().into(),
        estimated_display_amount: fiat.text(withdrawal.display_amount).into(),
        estimated_withdraw_amount: withdrawal.amount.to_text(withdrawal.pair.decimals).into(),
        settlement_deducted_amount: withdrawal.deducted.to_string().into(),
        settlement_service_fee: withdrawal.service_fee.to_string().into(),
        uniform_amount: Fiat::EUR.text(withdrawal.uniform_amount).into(),
        uniform_currency: Fiat::EUR.code().into(),
        uniform_service_fee: Fiat::EUR.text(withdrawal.uniform_service_fee).into(),
        created_at: withdrawal.created_at.into(),
    }
}
