//! Pages of the refunds of a business: automatic ones, and those that are charged.

use checkout_core::{Currency, Network};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::ports::Stored;
use checkout_domain::ports::refunds::FoundRefund;
use checkout_domain::withdrawal::may_leave::Why;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use crate::rows::payment_with_deposits::{deposits_by_id, names};
use crate::statements::conditions::Conditions;
use crate::{Transaction, rows};

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &RefundFilter,
    page: &Page,
) -> Stored<Vec<FoundRefund>> {
    // A payment has few refunds, a business has many: SQLite does not know which index is narrow.
    let owner = if filter.payment.is_some() { "business || ''" } else { "business" };
    let mut conditions = Conditions::of_business(owner, business);
    conditions.equal("payment", filter.payment);
    conditions.equal("client_id", filter.client_refund_id.as_ref());
    conditions.equal("status", filter.status.map(RefundState::as_str));
    conditions.equal("waits_for", filter.waits.map(RefundWait::as_str));
    conditions.equal("currency", filter.currency.map(Currency::code));
    conditions.equal("network", filter.network.map(Network::code));
    let end = conditions.page("id", &filter.created, page);
    let listed = listed(connection, conditions, &end).await?;
    load(connection, page.in_order(listed)).await
}

pub(crate) async fn find(connection: &mut Transaction, id: Uuid) -> Stored<Option<FoundRefund>> {
    let mut conditions = Conditions::default();
    conditions.equal("id", Some(id));
    let listed = listed(connection, conditions, "DESC").await?;
    Ok(load(connection, listed).await?.pop())
}

/// Refunds, each with its business and its payment.
async fn listed(
    connection: &mut Transaction,
    mut conditions: Conditions,
    end: &str,
) -> Stored<Vec<(Uuid, BusinessId, PaymentId, Option<Why>)>> {
    conditions.add("status IS NOT NULL");
    let matching = conditions.text();
    let text = format!(
        "SELECT id, business, payment, (SELECT why FROM payouts WHERE payouts.id = refunds.payout) AS why
         FROM refunds WHERE {matching} ORDER BY id {end}"
    );
    let read = |row: &crate::Row| {
        Ok((row.parsed("id")?, row.parsed("business")?, row.parsed("payment")?, rows::payout::why(row)?))
    };
    conditions.statement(text).read_all(connection, read).await
}

async fn load(
    connection: &mut Transaction,
    listed: Vec<(Uuid, BusinessId, PaymentId, Option<Why>)>,
) -> Stored<Vec<FoundRefund>> {
    let ids: Vec<Uuid> = listed.iter().map(|(id, ..)| *id).collect();
    let mut deposits = deposits_by_id(connection, &ids).await?;
    let mut charged = rows::refund::charged_by_id(connection, &ids).await?;
    let of: Vec<PaymentId> = listed.iter().map(|(_, _, payment, _)| *payment).collect();
    let payments = names(connection, &of).await?;
    let found = |(id, business, payment, why)| {
        let (client_payment_id, fiat) = payments.get(&payment)?.clone();
        let (deposit, automatic) = deposits.remove(&id).unzip();
        let refund = charged.remove(&id).or(automatic.flatten())?;
        Some(FoundRefund { business, payment, client_payment_id, fiat, refund, why, deposit })
    };
    Ok(listed.into_iter().filter_map(found).collect())
}
