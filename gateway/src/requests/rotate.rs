//! The bodies that rotate the credentials of a business.

use checkout_domain::access::scope::{Scope, Scopes};
use checkout_wire::manage_businesses::TokenScope;

use super::fields::Fields;

/// A year: a replaced credential that never ends is none that was replaced.
const MOST_HOURS: u64 = 8_760;

/// Scopes, and seconds for which the replaced tokens stay valid.
pub fn token(fields: &mut Fields) -> Option<(Scopes, u64)> {
    let words = fields.texts("scopes").unwrap_or_default();
    let scopes: Result<Vec<Scope>, _> = words.iter().map(|word| word.parse()).collect();
    if scopes.is_err() {
        let detail = format!("must be some of {}", TokenScope::KNOWN.join(", "));
        fields.error("scopes", "unknown_value", detail);
    }
    let overlap = overlap(fields, 0);
    fields.is_valid().then_some(())?;
    Some((Scopes::of(&scopes.ok()?), overlap))
}

/// Seconds for which callbacks also carry a signature with the old secret.
pub fn secret(fields: &mut Fields) -> Option<u64> {
    let overlap = overlap(fields, 24);
    fields.is_valid().then_some(overlap)
}

fn overlap(fields: &mut Fields, usual: u64) -> u64 {
    fields.integer("overlapHours", 0, MOST_HOURS).unwrap_or(usual) * 3_600
}
