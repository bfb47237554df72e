//! Pages of the refunds of a business: automatic ones, and those that are charged.

use checkout_core::{Currency, Network};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::ports::Stored;
use checkout_domain::ports::refunds::FoundRefund;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use crate::rows::payment_with_deposits::{deposits_by_id, names};
use crate::statements::conditions::Conditions;
use crate::{Transaction, rows};

const AUTOMATIC: &str = "SELECT id, business, payment, NULL AS client_id, currency, network, status, waits_for AS waits FROM refunds WHERE status IS NOT NULL";

const CHARGED: &str = "SELECT id, business, payment, client_withdrawal_id AS client_id, currency, network,
        refund_status AS status, refund_waits AS waits
    FROM withdrawals WHERE payment IS NOT NULL";

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &RefundFilter,
    page: &Page,
) -> Stored<Vec<FoundRefund>> {
    // A payment has few refunds, a business has many: SQLite does not know which index is narrow.
    let owner = if filter.payment.is_some() { "listed.business || ''" } else { "listed.business" };
    let mut conditions = Conditions::of_business(owner, business);
    conditions.equal("listed.payment", filter.payment);
    conditions.equal("listed.client_id", filter.client_refund_id.as_ref());
    conditions.equal("listed.status", filter.status.map(RefundState::as_str));
    conditions.equal("listed.waits", filter.waits.map(RefundWait::as_str));
    conditions.equal("listed.currency", filter.currency.map(Currency::code));
    conditions.equal("listed.network", filter.network.map(Network::code));
    let end = conditions.page("listed.id", &filter.created, page);
    let listed = listed(connection, conditions, &end).await?;
    load(connection, page.in_order(listed)).await
}

pub(crate) async fn find(connection: &mut Transaction, id: Uuid) -> Stored<Option<FoundRefund>> {
    let mut conditions = Conditions::default();
    conditions.equal("listed.id", Some(id));
    let listed = listed(connection, conditions, "DESC").await?;
    Ok(load(connection, listed).await?.pop())
}

/// A refund with its business and its payment.
struct RefundPosition {
    id: Uuid,
    business: BusinessId,
    payment: PaymentId,
}

async fn listed(
    connection: &mut Transaction,
    conditions: Conditions,
    end: &str,
) -> Stored<Vec<RefundPosition>> {
    let matching = conditions.text();
    let part = |name: &str, rows: &str| {
        format!(
            "SELECT * FROM (SELECT listed.id, listed.business, listed.payment FROM ({rows}) AS listed
             WHERE {matching} ORDER BY listed.id {end}) AS {name}"
        )
    };
    let (automatic, charged) = (part("automatic", AUTOMATIC), part("merchant", CHARGED));
    let text = format!("{automatic} UNION ALL {charged} ORDER BY id {end}");
    let read = |row: &crate::Row| {
        Ok(RefundPosition {
            id: row.parsed("id")?,
            business: row.parsed("business")?,
            payment: row.parsed("payment")?,
        })
    };
    conditions.statement(text).read_all(connection, read).await
}

async fn load(connection: &mut Transaction, listed: Vec<RefundPosition>) -> Stored<Vec<FoundRefund>> {
    let ids: Vec<Uuid> = listed.iter().map(|one| one.id).collect();
    let mut deposits = deposits_by_id(connection, &ids).await?;
    let mut charged = rows::charged_refund::by_id(connection, &ids).await?;
    let of: Vec<PaymentId> = listed.iter().map(|one| one.payment).collect();
    let payments = names(connection, &of).await?;
    let found = |RefundPosition { id, business, payment }| {
        let (client_payment_id, fiat) = payments.get(&payment)?.clone();
        let (deposit, automatic) = deposits.remove(&id).unzip();
        let refund = charged.remove(&id).or(automatic.flatten())?;
        Some(FoundRefund { business, payment, client_payment_id, fiat, refund, deposit })
    };
    Ok(listed.into_iter().filter_map(found).collect())
}
