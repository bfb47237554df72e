//! Finds the payments of a batch of transfers with few queries.

use checkout_domain::ids::PaymentId;
use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::recognise::Facts;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::ports::{Owner, Stored};

use crate::{Transaction, Value, query_list, query_rows};

pub(crate) async fn of(connection: &mut Transaction, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
    let known = deposits(connection, transfers).await?;
    let new = transfers.iter().zip(&known).filter(|(_, known)| known.is_none());
    let given = addresses(connection, new.map(|(transfer, _)| transfer)).await?;
    let mut owners = Vec::with_capacity(transfers.len());
    for (transfer, known) in transfers.iter().zip(known) {
        if known.is_some() {
            owners.push(known);
            continue;
        }
        let found = given.get(&(transfer.output.network, tagged_address(transfer)));
        owners.push(found.map(|found| Owner { payment: found.payment, is_new: true, is_gone: false }));
    }
    Ok(owners)
}

/// The payments of those that already are deposits, with the same facts.
async fn deposits(connection: &mut Transaction, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
    let Some(first) = transfers.first() else { return Ok(Vec::new()) };
    let text = |listed: &str| {
        format!(
            "SELECT transaction_id, output_index, payment, currency, amount, to_address, from_address, state
             FROM deposits WHERE network = $1 AND transaction_id {listed}"
        )
    };
    let transactions: BTreeSet<&str> =
        transfers.iter().map(|transfer| transfer.output.transaction.as_str()).collect();
    let statement = query_list(vec![first.output.network.code().into()], transactions, text);
    let mut found = BTreeMap::new();
    for row in statement.fetch_all(connection).await? {
        let output: (String, u32) = (row.text("transaction_id")?, row.number("output_index")?);
        let (currency, amount): (Currency, Amount) = (row.parsed("currency")?, row.atoms("amount")?);
        let facts = (currency, amount, row.text("to_address")?, row.text("from_address")?);
        let is_gone = row.word("state", OutputState::known)? == OutputState::Vanished;
        let owner = Owner { payment: row.parsed("payment")?, is_new: false, is_gone };
        found.insert(output, (owner, facts));
    }
    let known = |transfer: &Transfer| {
        let output = (transfer.output.transaction.clone(), transfer.output.index);
        let (owner, (currency, amount, to, from)) = found.get(&output)?;
        let facts = Facts { currency: *currency, amount: *amount, to, from };
        facts.are_possible_of(transfer).then_some(*owner)
    };
    Ok(transfers.iter().map(known).collect())
}

/// An address with its tag.
type TaggedAddress<'a> = (&'a str, &'a str);

fn tagged_address(transfer: &Transfer) -> TaggedAddress<'_> {
    (transfer.to.as_str(), transfer.tag.as_deref().unwrap_or_default())
}

struct FoundPayment {
    payment: PaymentId,
    /// The place of its network among those that share the account.
    rank: usize,
}

/// The payments to which addresses with their tags were assigned, each on the first network of its account that has one.
async fn addresses<'a>(
    connection: &mut Transaction,
    transfers: impl Iterator<Item = &'a Transfer>,
) -> Stored<BTreeMap<(Network, TaggedAddress<'a>), FoundPayment>> {
    let asked: BTreeSet<(Network, TaggedAddress<'a>)> =
        transfers.map(|transfer| (transfer.output.network, tagged_address(transfer))).collect();
    let mut found: BTreeMap<(Network, TaggedAddress<'a>), FoundPayment> = BTreeMap::new();
    let row = |(_, (address, tag)): &(Network, TaggedAddress<'_>)| -> Vec<Value> {
        vec![(*address).into(), (*tag).into()]
    };
    let text = |new: &str| {
        format!(
            "SELECT addresses.address, addresses.tag, network, payment
             FROM {new} JOIN addresses ON addresses.address = new.column1 AND addresses.tag = new.column2"
        )
    };
    let statement = query_rows(Vec::new(), asked.iter().map(row).collect(), text);
    let mut given: BTreeMap<(String, String), Vec<_>> = BTreeMap::new();
    for row in statement.fetch_all(connection).await? {
        let given = given.entry((row.text("address")?, row.text("tag")?)).or_default();
        given.push((row.parsed("network")?, row.parsed("payment")?));
    }
    for (network, address) in asked {
        let networks = networks_of_account(network);
        for (at, payment) in given.get(&(address.0.to_owned(), address.1.to_owned())).into_iter().flatten() {
            let Some(rank) = networks.iter().position(|known| known == at) else { continue };
            let key = (network, address);
            if found.get(&key).is_none_or(|best| rank < best.rank) {
                found.insert(key, FoundPayment { payment: *payment, rank });
            }
        }
    }
    Ok(found)
}
