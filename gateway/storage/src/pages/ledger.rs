//! Pages of the ledger of a business.

use std::collections::BTreeMap;

use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ledger::filter::LedgerFilter;
use checkout_domain::ledger::{Entry, Line};
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use checkout_domain::ports::ledger::ListedEntry;

use crate::statements::conditions::Conditions;
use crate::statements::row::{Row, bad};
use crate::{Transaction, rows};

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &LedgerFilter,
    page: &Page,
) -> Stored<Vec<ListedEntry>> {
    // A payment has few entries, a business has many: SQLite does not know which index is narrow.
    let owner = if filter.payment.is_some() { "entries.business || ''" } else { "entries.business" };
    let mut conditions = Conditions::of_business(owner, business);
    conditions.equal("entries.payment", filter.payment);
    let end = conditions.page("entries.id", &filter.booked, page);
    // The cause of an entry of a withdrawal is `withdrawal/ID`, or begins with that.
    let text = format!(
        "SELECT entries.*, payments.client_payment_id, withdrawals.client_withdrawal_id
         FROM ledger_entries AS entries
             LEFT JOIN payments ON payments.id = entries.payment
             LEFT JOIN withdrawals ON withdrawals.id = CASE WHEN entries.cause LIKE 'withdrawal/%' THEN SUBSTR(entries.cause, 12, 36) END
         WHERE {} ORDER BY entries.id {end}",
        conditions.text()
    );
    let rows = conditions.statement(text).fetch_all(&mut *connection).await?;
    let mut lines =
        lines(connection, &rows.iter().map(|row| row.text("cause")).collect::<Stored<Vec<_>>>()?).await?;
    let read = |row: &Row| {
        let header = rows::ledger::header(row)?;
        let lines = lines.remove(&header.cause).unwrap_or_default();
        let (cause, is_reversal) = Cause::read(&header.cause).ok_or_else(|| bad("cause"))?;
        Ok(ListedEntry {
            cause,
            is_reversal,
            entry: Entry::stored(header, lines),
            client_payment_id: row.optional_text("client_payment_id")?,
            client_withdrawal_id: row.optional_text("client_withdrawal_id")?,
        })
    };
    Ok(page.in_order(rows.iter().map(read).collect::<Stored<_>>()?))
}

async fn lines(connection: &mut Transaction, causes: &[String]) -> Stored<BTreeMap<String, Vec<Line>>> {
    let mut lines: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    if causes.is_empty() {
        return Ok(lines);
    }
    let mut conditions = Conditions::default();
    conditions.one_of("cause", causes.iter().cloned());
    let text =
        format!("SELECT * FROM ledger_lines WHERE {} ORDER BY cause, asset, account", conditions.text());
    for row in conditions.statement(text).once().fetch_all(connection).await? {
        lines.entry(row.text("cause")?).or_default().push(rows::ledger::line(&row)?);
    }
    Ok(lines)
}
