//! The page of a list that a query asks for.

use checkout_domain::ids::PaymentId;
use checkout_domain::page::{Page, Period};
use uuid::Uuid;

use crate::http::requests::fields::Fields;
use crate::http::requests::id;

const DEFAULT_LIMIT: u32 = 25;
const MAX_LIMIT: u32 = 100;

/// The year 10889: ids have 48 bits for the milliseconds. A time in milliseconds is above it for a long while.
pub const LATEST: u64 = (1 << 48) / 1000;

/// Reads its parameters; all values are texts.
pub fn read(fields: &mut Fields) -> Page {
    Page {
        after: uuid(fields, "after"),
        before: uuid(fields, "before"),
        descending: fields.parsed("descending", "wrong_type", "must be true or false").unwrap_or(true),
        limit: limit(fields),
    }
}

/// The time of creation in `from` and `to`.
pub fn created(fields: &mut Fields) -> Period {
    let period = Period { from: seconds(fields, "from"), to: seconds(fields, "to") };
    if period.from.zip(period.to).is_some_and(|(from, to)| from >= to) {
        fields.error("to", "out_of_range", "must be later than `from`");
    }
    period
}

fn seconds(fields: &mut Fields, name: &str) -> Option<u64> {
    let text = fields.text(name)?;
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let time = text.parse().ok().filter(|time| is_number && *time <= LATEST);
    fields.accept(name, time.ok_or(("wrong_type", "must be a time in UNIX seconds")))
}

/// A parameter with an id.
pub fn uuid(fields: &mut Fields, name: &str) -> Option<Uuid> {
    let id = id::parse(&fields.text(name)?);
    fields.accept(name, id.ok_or(("bad_uuid", "must be a UUID")))
}

/// The parameter that names a payment.
pub fn payment(fields: &mut Fields) -> Option<PaymentId> {
    uuid(fields, "paymentId").map(PaymentId)
}

/// The size of the page.
pub fn limit(fields: &mut Fields) -> u32 {
    let Some(text) = fields.text("limit") else { return DEFAULT_LIMIT };
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let limit = match text.parse() {
        Ok(limit) if is_number && (1..=MAX_LIMIT).contains(&limit) => Ok(limit),
        _ if is_number => Err(("out_of_range", format!("must be from 1 to {MAX_LIMIT}"))),
        _ => Err(("wrong_type", "must be a whole number".to_owned())),
    };
    fields.accept("limit", limit).unwrap_or(DEFAULT_LIMIT)
}
