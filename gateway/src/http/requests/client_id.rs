//! Ids chosen by merchants.

use checkout_wire::MAX_CLIENT_ID;

use super::fields::Fields;
use crate::texts::is_blank;

/// Reads a merchant's own id, which is required.
pub fn client_id(fields: &mut Fields, name: &str) -> Option<String> {
    let id = fields.required_text(name)?;
    if is_blank(&id) {
        fields.error(name, "empty", "must have a character that can be seen");
    } else if id.chars().count() > MAX_CLIENT_ID {
        let detail = format!("must have at most {MAX_CLIENT_ID} characters");
        fields.error(name, "too_long", detail);
    }
    Some(id)
}
