//! Pages of the withdrawals of a business.

use checkout_core::{Currency, Network};
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use checkout_wire::create_withdrawal::WithdrawalStatus;

use crate::statements::conditions::Conditions;
use crate::{Readers, rows};

pub(crate) async fn read(
    readers: &Readers,
    business: BusinessId,
    filter: &WithdrawalFilter,
    page: &Page,
) -> Stored<Vec<Withdrawal>> {
    let is_by_payout = filter.recipients.is_some() || filter.transactions.is_some();
    let (id, same) =
        if is_by_payout { ("payouts.id", "withdrawals.id") } else { ("withdrawals.id", "payouts.id") };
    let mut conditions = Conditions::of_business("withdrawals.business", business);
    conditions.add("payouts.id = withdrawals.id");
    conditions.add("withdrawals.payment IS NULL");
    conditions.equal("withdrawals.client_withdrawal_id", filter.client_withdrawal_id.as_ref());
    conditions.equal("withdrawals.status", filter.status.map(WithdrawalStatus::as_str));
    conditions.equal("withdrawals.currency", filter.currency.map(Currency::code));
    conditions.equal("withdrawals.network", filter.network.map(Network::code));
    if filter.is_unapproved {
        conditions.add("withdrawals.approval = 'WAITING'");
        conditions.add("payouts.state = 'WAITING'");
    }
    if filter.is_above_fee {
        conditions.add("withdrawals.asked_fee IS NOT NULL");
        conditions.add("payouts.state = 'WAITING'");
    }
    if let Some(recipients) = &filter.recipients {
        conditions.one_of("payouts.to_address", recipients);
    }
    if let Some(transactions) = &filter.transactions {
        conditions.one_of("payouts.transaction_id", transactions);
    }
    // SQLite follows the order of a CROSS JOIN: payouts have the indexes of address and transaction.
    let tables =
        if is_by_payout { "payouts CROSS JOIN withdrawals" } else { "withdrawals CROSS JOIN payouts" };
    conditions.bounds(same, &filter.created, page);
    let end = conditions.page(id, &filter.created, page);
    let (columns, matching) = (rows::withdrawal::SELECTED, conditions.text());
    let text = format!(
        "{columns} FROM {tables} LEFT JOIN refunds ON refunds.id = withdrawals.id WHERE {matching} ORDER BY {id} {end}"
    );
    Ok(page.in_order(conditions.statement(text).read_all(readers, rows::withdrawal::read).await?))
}
