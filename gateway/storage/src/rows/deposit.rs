//! A row of `deposits`.

use checkout_core::Network;
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::Stored;
use checkout_domain::ports::transfers::IncludedDeposit;
use checkout_wire::RateType;
use checkout_wire::payment::DepositHold;
use uuid::Uuid;

use super::{flag, payment_texts};
use crate::statements::columns::columns;
use crate::statements::row::Row;
use crate::{Database, Transaction, Value, query, query_rows, rows};

columns! {
    "deposits": deposit: Deposit, from row;
    given {
        Once "payment";
        Once "business";
    }
    fields {
        Key id = deposit.id => parsed;
        Once currency = deposit.currency.code() => parsed;
        Once amount = deposit.amount.atoms().to_string() => atoms;
        Once to as "to_address" = &deposit.to => text;
        Once tag = &deposit.tag => optional_text;
        Once from as "from_address" = &deposit.from => text;
        Once from_tag = &deposit.from_tag => optional_text;
        Once fee = &deposit.fee => text;
        Once seen_at = deposit.seen_at => number;
        Changes state = deposit.state.as_str() => word(OutputState::known);
        Once rate = deposit.rate.to_string() => decimal;
        Once uniform_rate = deposit.uniform_rate.to_string() => decimal;
        Once price_rate = deposit.price_rate.map(|rate| rate.to_string()) => optional_decimal;
        Once rate_type = deposit.rate_type.as_str() => word(RateType::known);
        Once quote = deposit.quote => optional_number;
        Once display_amount = deposit.display_amount.to_string() => decimal;
        Once uniform_amount = deposit.uniform_amount.to_string() => decimal;
        Once seen_seq = deposit.seen_seq => number;
        Changes confirmed_seq = deposit.confirmed_seq => optional_number;
        Changes screening = deposit.screening.as_str() => word(Screening::known);
        Changes confirmations = deposit.confirmations => number;
        Changes required_confirmations = deposit.required_confirmations => number;
        Once required_by_amount = deposit.required_by_amount => number;
    }
    columns {
        Once "network" = deposit.output.network.code();
        Once "transaction_id" = &deposit.output.transaction;
        Once "output_index" = deposit.output.index;
        Changes "instant" = deposit.instant;
        Once "being_valued" = deposit.being_valued;
        Once "hold" = deposit.hold.map(DepositHold::as_str);
        Once "recorded_at" = deposit.recorded_at;
        Once "other_senders" = rows::other_senders::text(&deposit.other_senders);
        Changes "owner_name" = deposit.sender.as_ref().map(|owner| owner.name.as_str());
        Changes "owner_category" = deposit.sender.as_ref().map(|owner| owner.category.as_str());
    }
    others {
        output = output(row)?;
        other_senders = rows::other_senders::read(row)?;
        recorded_at = recorded_at(row)?;
        instant = row.flag("instant")? && row.parsed::<Network>("network")?.spec().instant;
        being_valued = row.flag("being_valued")?;
        hold = flag::hold(row)?;
        sender = flag::owner(row)?;
    }
}

fn recorded_at(row: &Row) -> Stored<u64> {
    if let Some(at) = row.optional_number("recorded_at")? {
        return Ok(at);
    }
    let id: Uuid = row.parsed("id")?;
    Ok(id.get_timestamp().map_or(u64::MAX, |time| time.to_unix().0))
}

pub(crate) fn output(row: &Row) -> Stored<OutputId> {
    Ok(OutputId {
        network: row.parsed("network")?,
        transaction: row.text("transaction_id")?,
        index: row.number("output_index")?,
    })
}

/// Inserts deposits, each with its payment and business.
pub(crate) async fn insert(
    connection: &mut Transaction,
    deposits: &[(PaymentId, BusinessId, &Deposit)],
) -> Stored<()> {
    let rows = deposits
        .iter()
        .map(|(payment, business, deposit)| ([(*payment).into(), (*business).into()], *deposit));
    COLUMNS.insert_all(rows, "").run(&mut *connection).await?;
    payment_texts::insert_deposits(connection, deposits).await
}

/// Updates the columns that can change, of different deposits.
pub(crate) async fn update(connection: &mut Transaction, deposits: &[&Deposit]) -> Stored<()> {
    COLUMNS.update(deposits.iter().copied()).run(connection).await
}

/// `required`: of every transfer of the network. Changes only rows with other numbers.
pub(crate) async fn count_confirmations(
    connection: &mut Transaction,
    network: Network,
    required: u64,
    counts: &[(OutputId, u64)],
) -> Stored<()> {
    let row = |(output, count): &(OutputId, u64)| -> Vec<Value> {
        vec![(&output.transaction).into(), output.index.into(), (*count).into()]
    };
    let most = "CASE WHEN required_by_amount > $2 THEN required_by_amount ELSE $2 END";
    let text = |new: &str| {
        format!(
            "UPDATE deposits SET confirmations = new.column3, required_confirmations = {most}
             FROM {new}
             WHERE network = $1 AND transaction_id = new.column1 AND output_index = new.column2
                 AND state IN ('UNCONFIRMED', 'INCLUDED')
                 AND (confirmations <> new.column3 OR required_confirmations <> {most})"
        )
    };
    let given = vec![network.code().into(), required.into()];
    query_rows(given, counts.iter().map(row).collect(), text).run(connection).await
}

/// The deposits of a network whose amount needs more confirmations than they had.
pub(crate) async fn included(database: &Database, network: Network) -> Stored<Vec<IncludedDeposit>> {
    query(
        "SELECT id, payment, network, transaction_id, output_index, seen_at, required_by_amount FROM deposits
         WHERE network = $1 AND state = 'INCLUDED' ORDER BY id",
    )
    .bind(network.code())
    .read_all(&database.readers, |row| {
        Ok(IncludedDeposit {
            deposit: row.parsed("id")?,
            payment: row.parsed("payment")?,
            output: output(row)?,
            seen_at: row.number("seen_at")?,
            required: row.number("required_by_amount")?,
        })
    })
    .await
}
