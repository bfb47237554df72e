//! The ids that merchants choose.

use checkout_core::wire::MAX_CLIENT_ID;

use super::fields::Fields;

/// Reads a merchant's own id, which has to be there.
pub fn client_id(fields: &mut Fields, name: &str) -> Option<String> {
    let id = fields.required_text(name)?;
    if id.trim().is_empty() {
        fields.error(name, "empty", "must not be empty");
    } else if id.chars().count() > MAX_CLIENT_ID {
        let detail = format!("must have at most {MAX_CLIENT_ID} characters");
        fields.error(name, "too_long", detail);
    } else if id.chars().any(char::is_control) {
        fields.error(name, "control_character", "must not contain control characters");
    }
    Some(id)
}
