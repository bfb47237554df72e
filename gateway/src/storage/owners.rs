//! Finds the payments of a batch of transfers with few queries.

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::Network;
use uuid::Uuid;

use super::{Transaction, query};
use crate::domain::chain::Transfer;
use crate::domain::chain::address_space::networks_of_account;
use crate::ports::{Owner, Stored};

/// Transactions per query.
const CHUNK: usize = 100;

pub(super) async fn of(connection: &mut Transaction, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
    Ok(with_archived(connection, transfers).await?.0)
}

/// The owners, and which of them are in the archive, by id.
pub(super) async fn with_archived(
    connection: &mut Transaction,
    transfers: &[Transfer],
) -> Stored<(Vec<Option<Owner>>, Vec<Uuid>)> {
    let mut archived = BTreeSet::new();
    let known = deposits(connection, transfers).await?;
    let mut given: BTreeMap<(&str, Option<&str>), Option<Uuid>> = BTreeMap::new();
    let mut owners = Vec::with_capacity(transfers.len());
    for transfer in transfers {
        let output = (transfer.output.transaction.as_str(), transfer.output.index);
        if let Some(payment) = known.get(&output) {
            owners.push(Some(Owner { payment: *payment, is_new: false }));
            continue;
        }
        let (to, tag) = (transfer.to.as_str(), transfer.tag.as_deref());
        let payment = if let Some(payment) = given.get(&(to, tag)) {
            *payment
        } else {
            let networks = networks_of_account(transfer.output.network);
            let found = payment_of_address(connection, networks, to, tag).await?;
            archived.extend(found.filter(|(_, is_archived)| *is_archived).map(|(payment, _)| payment));
            let payment = found.map(|(payment, _)| payment);
            given.insert((to, tag), payment);
            payment
        };
        owners.push(payment.map(|payment| Owner { payment, is_new: true }));
    }
    Ok((owners, archived.into_iter().collect()))
}

/// The payments of outputs that already are deposits.
async fn deposits<'a>(
    connection: &mut Transaction,
    transfers: &'a [Transfer],
) -> Stored<BTreeMap<(&'a str, u32), Uuid>> {
    let mut known = BTreeMap::new();
    for chunk in transfers.chunks(CHUNK) {
        let Some(first) = chunk.first() else { continue };
        let places: Vec<String> = (0..chunk.len()).map(|at| format!("${}", at + 2)).collect();
        let text = format!(
            "SELECT transaction_id, output_index, payment FROM deposits
             WHERE network = $1 AND transaction_id IN ({})",
            places.join(", ")
        );
        let statement = if chunk.len() == CHUNK { query(text) } else { query(text).once() };
        let statement = statement.bind(first.output.network.code());
        let bind =
            |statement: super::Query, transfer: &Transfer| statement.bind(&transfer.output.transaction);
        let rows = chunk.iter().fold(statement, bind).fetch_all(&mut *connection).await?;
        let mut found: BTreeMap<(String, u32), Uuid> = BTreeMap::new();
        for row in rows {
            let output = (row.text("transaction_id")?, row.number("output_index")?);
            found.insert(output, row.parsed("payment")?);
        }
        for transfer in chunk {
            let output = &transfer.output;
            if let Some(payment) = found.get(&(output.transaction.clone(), output.index)) {
                known.insert((output.transaction.as_str(), output.index), *payment);
            }
        }
    }
    Ok(known)
}

/// The payment to which an address with its tag was assigned, on the first of these networks that has one, and whether
/// it is in the archive.
async fn payment_of_address(
    connection: &mut Transaction,
    networks: &[Network],
    address: &str,
    tag: Option<&str>,
) -> Stored<Option<(Uuid, bool)>> {
    let rows = query(
        "SELECT network, payment, 0 AS is_archived FROM addresses WHERE address = $1 AND tag = $2
         UNION ALL SELECT network, payment, 1 FROM archived_addresses WHERE address = $1 AND tag = $2",
    )
    .bind(address)
    .bind(tag.unwrap_or_default())
    .fetch_all(connection)
    .await?;
    let mut best = None;
    for row in rows {
        let network: Network = row.parsed("network")?;
        let rank = networks.iter().position(|known| *known == network);
        if rank.is_some() && best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, (row.parsed("payment")?, row.flag("is_archived")?)));
        }
    }
    Ok(best.map(|(_, payment)| payment))
}
