//! The query of `GET /api/v1/withdrawals`, read and checked.

use checkout_domain::chain::environment::Environments;
use checkout_domain::page::Page;
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::list_withdrawals::WithdrawalWait;

use crate::requests::fields::Fields;
use crate::requests::page;
use crate::requests::search::{addresses, transactions};

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields, environments: &Environments) -> Option<(WithdrawalFilter, Page)> {
    let client_withdrawal_id = fields.text("clientWithdrawalId");
    let status = fields.word("status", WithdrawalStatus::KNOWN, WithdrawalStatus::known);
    let waits = fields.word("waitingFor", WithdrawalWait::KNOWN, WithdrawalWait::known);
    let currency = fields.currency("currency");
    let network = fields.network();
    let recipients = addresses(fields, network, environments).map(|(addresses, _)| addresses);
    let transactions = transactions(fields);
    let created = page::created(fields);
    let page = page::read(fields);
    let filter = WithdrawalFilter {
        client_withdrawal_id,
        status,
        currency,
        network,
        recipients,
        transactions,
        is_unapproved: waits == Some(WithdrawalWait::Approval),
        is_above_fee: waits == Some(WithdrawalWait::Fee),
        created,
    };
    fields.is_valid().then_some((filter, page))
}
