//! A withdrawal, interface section 2.7.

use checkout_core::wire;
use checkout_core::wire::create_withdrawal::WithdrawalStatus;
use checkout_core::wire::list_withdrawals::ListedWithdrawal;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;

/// The withdrawal as it is now.
pub fn listed(stored: &Withdrawal) -> ListedWithdrawal {
    ListedWithdrawal {
        withdrawal: withdrawal(stored, stored.status),
        withdraw_fee: stored.fee.to_text(stored.pair.decimals),
        display_fee: stored.display_currency.text(stored.display_fee),
        transaction_id: stored.transaction_id.clone(),
    }
}

/// The resource with this status.
pub fn withdrawal(withdrawal: &Withdrawal, status: WithdrawalStatus) -> wire::Withdrawal {
    let fiat = withdrawal.display_currency;
    wire::Withdrawal {
        withdraw_id: withdrawal.id.to_string(),
        client_withdraw_id: withdrawal.client_withdrawal_id.clone(),
        recipient_address: withdrawal.recipient.clone(),
        network: withdrawal.pair.network.code().to_owned(),
        initiated_by: withdrawal.initiated_by.clone(),
        status,
        display_currency: fiat.code().to_owned(),
        display_service_fee: fiat.text(withdrawal.display_service_fee),
        withdraw_currency: withdrawal.pair.currency.code().to_owned(),
        settlement_currency: withdrawal.deducted.asset.code().to_owned(),
        estimated_display_amount: fiat.text(withdrawal.display_amount),
        estimated_withdraw_amount: withdrawal.amount.to_text(withdrawal.pair.decimals),
        settlement_deducted_amount: withdrawal.deducted.to_string(),
        settlement_service_fee: withdrawal.service_fee.to_string(),
        uniform_amount: Fiat::EUR.text(withdrawal.uniform_amount),
        uniform_currency: Fiat::EUR.code().to_owned(),
        uniform_service_fee: Fiat::EUR.text(withdrawal.uniform_service_fee),
        created_at: withdrawal.created_at,
    }
}
