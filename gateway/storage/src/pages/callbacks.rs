//! Pages of the callbacks of a business, each with its attempts.

use std::collections::BTreeMap;

use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::callback::{Attempt, Callback, Kind, State};
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::statements::conditions::Conditions;
use crate::{Transaction, rows};

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &CallbackFilter,
    page: &Page,
) -> Stored<Vec<(Callback, Vec<Attempt>)>> {
    // A subject has few callbacks, a business has many: SQLite does not know which index is narrow.
    let owner = if filter.subject.is_some() { "business || ''" } else { "business" };
    let mut conditions = Conditions::of_business(owner, business);
    conditions.equal("state", filter.state.map(State::as_str));
    conditions.equal("kind", filter.kind.as_ref().map(Kind::as_str));
    conditions.equal("subject", filter.subject);
    let end = conditions.page("id", &filter.created, page);
    let text = format!("SELECT * FROM callbacks WHERE {} ORDER BY id {end}", conditions.text());
    let rows = conditions.statement(text).fetch_all(&mut *connection).await?;
    let found: Vec<Callback> = rows.iter().map(rows::callback::read).collect::<Stored<_>>()?;
    let mut attempts = attempts(connection, &found).await?;
    Ok(page
        .in_order(found)
        .into_iter()
        .map(|callback| {
            let attempts = attempts.remove(&callback.id).unwrap_or_default();
            (callback, attempts)
        })
        .collect())
}

async fn attempts(connection: &mut Transaction, of: &[Callback]) -> Stored<BTreeMap<Uuid, Vec<Attempt>>> {
    let mut attempts: BTreeMap<Uuid, Vec<Attempt>> = BTreeMap::new();
    if of.is_empty() {
        return Ok(attempts);
    }
    let mut conditions = Conditions::default();
    conditions.one_of("callback", of.iter().map(|callback| callback.id.to_string()));
    let text =
        format!("SELECT * FROM callback_attempts WHERE {} ORDER BY callback, number", conditions.text());
    for row in conditions.statement(text).once().fetch_all(connection).await? {
        attempts.entry(row.parsed("callback")?).or_default().push(rows::callback::attempt(&row)?);
    }
    Ok(attempts)
}
