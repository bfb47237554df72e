//! Conditions of a statement that depend on the request, with their values.

use checkout_domain::ids::BusinessId;
use checkout_domain::page::{Page, Period};

use super::query::Value;
use crate::{Query, query};

#[derive(Debug, Default)]
pub(crate) struct Conditions {
    texts: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    /// The entries of a business, whose column this is.
    pub(crate) fn of_business(column: &str, business: BusinessId) -> Self {
        let mut conditions = Self::default();
        conditions.equal(column, Some(business));
        conditions
    }

    /// A parameter with this value.
    pub(crate) fn parameter(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    pub(crate) fn add(&mut self, condition: impl Into<String>) {
        self.texts.push(condition.into());
    }

    /// If there is a value, the column has it.
    pub(crate) fn equal(&mut self, column: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            let parameter = self.parameter(value);
            self.add(format!("{column} = {parameter}"));
        }
    }

    /// The column has one of these values.
    pub(crate) fn one_of(&mut self, column: &str, values: impl IntoIterator<Item = impl Into<Value>>) {
        let parameters: Vec<String> = values.into_iter().map(|value| self.parameter(value)).collect();
        self.add(format!("{column} IN ({})", parameters.join(", ")));
    }

    /// The ids of a page, which are in the order of time. Returns the end of the statement behind `ORDER BY` and the id.
    pub(crate) fn page(&mut self, id: &str, created: &Period, page: &Page) -> String {
        self.bounds(id, created, page);
        let order = if page.is_newest_first() { "DESC" } else { "ASC" };
        let limit = self.parameter(page.limit);
        format!("{order} LIMIT {limit}")
    }

    /// The bounds of a page alone, for a column that is equal to the id: PostgreSQL does not conclude from one to the other.
    pub(crate) fn bounds(&mut self, id: &str, created: &Period, page: &Page) {
        let (above, below) = page.bounds();
        let bounds = [
            (">", above.map(|id| id.to_string())),
            ("<", below.map(|id| id.to_string())),
            (">=", created.from.map(first_id_of)),
            ("<", created.to.map(first_id_of)),
        ];
        for (operator, bound) in bounds {
            let Some(bound) = bound else { continue };
            let parameter = self.parameter(bound);
            self.add(format!("{id} {operator} {parameter}"));
        }
    }

    /// All of them, behind `WHERE`; without any, a condition that holds.
    pub(crate) fn text(&self) -> String {
        if self.texts.is_empty() { "1 = 1".to_owned() } else { self.texts.join(" AND ") }
    }

    /// The same, to be followed by others. The values stay.
    pub(crate) fn take(&mut self) -> String {
        let text = self.text();
        self.texts.clear();
        text
    }

    /// A statement with the values.
    pub(crate) fn statement(self, text: String) -> Query {
        self.values.into_iter().fold(query(text), Query::bind)
    }
}

/// Every id that was made before a time is lower than this text.
pub(crate) fn first_id_of(time: u64) -> String {
    let millis = format!("{:012x}", time.saturating_mul(1000));
    format!("{}-{}", &millis[..8], &millis[8..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_order_of_time() {
        let id = |time: u64| uuid::Builder::from_unix_timestamp_millis(time * 1000, &[0; 10]).into_uuid();
        let bound = first_id_of(1_700_000_000);
        assert!(id(1_699_999_999).to_string() < bound && bound <= id(1_700_000_000).to_string());
    }
}
