//! A row of `deposits`.

use checkout_core::Network;
use checkout_core::wire::RateType;
use checkout_core::wire::payment::DepositHold;
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use super::row::{Row, int};
use super::{Query, Transaction, by_statement, flagged, other_senders, placeholders, query_rows, refund_row};

/// The values of the `state` column.
const STATES: [(OutputState, &str); 3] = [
    (OutputState::Unconfirmed, "UNCONFIRMED"),
    (OutputState::Confirmed, "CONFIRMED"),
    (OutputState::Vanished, "VANISHED"),
];

pub(super) fn read(row: &Row) -> Stored<Deposit> {
    let output = OutputId {
        network: row.parsed("network")?,
        transaction: row.text("transaction_id")?,
        index: row.number("output_index")?,
    };
    let on_instant_chain = output.network.spec().instant;
    Ok(Deposit {
        id: row.parsed("id")?,
        output,
        currency: row.parsed("currency")?,
        amount: row.atoms("amount")?,
        to: row.text("to_address")?,
        tag: row.optional_text("tag")?,
        from: row.text("from_address")?,
        other_senders: other_senders::read(row)?,
        from_tag: row.optional_text("from_tag")?,
        fee: row.text("fee")?,
        seen_at: row.number("seen_at")?,
        state: row.word("state", |word| STATES.iter().find(|(_, w)| *w == word).map(|(state, _)| *state))?,
        // A record in the archive can be older than the column.
        confirmations: row.optional_number("confirmations")?.unwrap_or(0),
        instant: row.flag("instant")? && on_instant_chain,
        rate: row.decimal("rate")?,
        uniform_rate: row.decimal("uniform_rate")?,
        // A record in the archive can be older than the column.
        price_rate: row.optional_decimal("price_rate")?,
        rate_type: row.word("rate_type", RateType::known)?,
        quote: row.optional_number("quote")?,
        display_amount: row.decimal("display_amount")?,
        uniform_amount: row.decimal("uniform_amount")?,
        seen_seq: row.number("seen_seq")?,
        confirmed_seq: row.optional_number("confirmed_seq")?,
        screening: row.word("screening", Screening::known)?,
        hold: flagged::hold(row)?,
        sender: flagged::owner(row)?,
        refund: refund_row::read(row)?,
        claim: refund_row::claim(row)?,
    })
}

/// Inserts deposits, each with its payment.
pub(super) async fn insert(connection: &mut Transaction, deposits: &[(Uuid, &Deposit)]) -> Stored<()> {
    for some in by_statement(deposits, 29) {
        let values = placeholders(some.len(), 29);
        let text = format!(
            "INSERT INTO deposits (id, payment, network, transaction_id, output_index, currency, amount, to_address,
                 tag, from_address, fee, seen_at, state, rate, uniform_rate, rate_type, display_amount,
                 uniform_amount, seen_seq, confirmed_seq, instant, screening, owner_name, owner_category, quote,
                 from_tag, hold, price_rate, other_senders)
             VALUES {values}"
        );
        let statement = query_rows(text, some.len(), 29);
        let bind = |statement, (payment, deposit): &(Uuid, &Deposit)| bind(statement, *payment, deposit);
        some.iter().fold(statement, bind).execute(&mut *connection).await?;
    }
    Ok(())
}

fn bind(statement: Query, payment: Uuid, deposit: &Deposit) -> Query {
    statement
        .bind(deposit.id.to_string())
        .bind(payment.to_string())
        .bind(deposit.output.network.code())
        .bind(&deposit.output.transaction)
        .bind(i64::from(deposit.output.index))
        .bind(deposit.currency.code())
        .bind(deposit.amount.atoms().to_string())
        .bind(&deposit.to)
        .bind(&deposit.tag)
        .bind(&deposit.from)
        .bind(&deposit.fee)
        .bind(int(deposit.seen_at))
        .bind(word(deposit.state))
        .bind(deposit.rate.to_string())
        .bind(deposit.uniform_rate.to_string())
        .bind(deposit.rate_type.as_str())
        .bind(deposit.display_amount.to_string())
        .bind(deposit.uniform_amount.to_string())
        .bind(i64::from(deposit.seen_seq))
        .bind(deposit.confirmed_seq.map(i64::from))
        .bind(deposit.instant)
        .bind(deposit.screening.as_str())
        .bind(deposit.sender.as_ref().map(|owner| owner.name.as_str()))
        .bind(deposit.sender.as_ref().map(|owner| owner.category.as_str()))
        .bind(deposit.quote.map(i64::from))
        .bind(&deposit.from_tag)
        .bind(deposit.hold.map(DepositHold::as_str))
        .bind(deposit.price_rate.map(|rate| rate.to_string()))
        .bind(other_senders::text(&deposit.other_senders))
}

/// Updates the columns that can change, of different deposits.
pub(super) async fn update(connection: &mut Transaction, deposits: &[&Deposit]) -> Stored<()> {
    for some in by_statement(deposits, 6) {
        let text = format!(
            "UPDATE deposits SET state = new.column2, confirmed_seq = new.column3, screening = new.column4,
                 owner_name = new.column5, owner_category = new.column6
             FROM (VALUES {}) AS new WHERE id = new.column1",
            placeholders(some.len(), 6)
        );
        let bind = |statement: Query, deposit: &&Deposit| {
            statement
                .bind(deposit.id.to_string())
                .bind(word(deposit.state))
                .bind(deposit.confirmed_seq.map(i64::from))
                .bind(deposit.screening.as_str())
                .bind(deposit.sender.as_ref().map(|owner| owner.name.as_str()))
                .bind(deposit.sender.as_ref().map(|owner| owner.category.as_str()))
        };
        some.iter().fold(query_rows(text, some.len(), 6), bind).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Changes only rows with another number. The columns of `VALUES` have the same names in both databases.
pub(super) async fn count_confirmations(
    connection: &mut Transaction,
    network: Network,
    counts: &[(OutputId, u64)],
) -> Stored<()> {
    for some in by_statement(counts, 3) {
        let text = format!(
            "UPDATE deposits SET confirmations = counted.column3 FROM (VALUES {}) AS counted
             WHERE network = ${} AND transaction_id = counted.column1 AND output_index = counted.column2
                 AND state = 'UNCONFIRMED' AND confirmations <> counted.column3",
            placeholders(some.len(), 3),
            some.len() * 3 + 1
        );
        let statement = some.iter().fold(query_rows(text, some.len(), 3), |statement, (output, count)| {
            statement.bind(&output.transaction).bind(i64::from(output.index)).bind(int(*count))
        });
        statement.bind(network.code()).execute(&mut *connection).await?;
    }
    Ok(())
}

fn word(state: OutputState) -> &'static str {
    STATES.iter().find(|(known, _)| *known == state).map_or("", |(_, word)| word)
}
