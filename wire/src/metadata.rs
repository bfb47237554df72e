//! A merchant's own facts about a payment.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Names of one payment.
pub const MAX_NAMES: usize = 20;
/// Characters of a name.
pub const MAX_NAME: usize = 40;
/// Characters of a value.
pub const MAX_VALUE: usize = 500;

/// Texts by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(pub BTreeMap<String, String>);

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Metadata {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Metadata".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Texts by name.",
            "type": "object",
            "maxProperties": MAX_NAMES,
            "propertyNames": {"minLength": 1, "maxLength": MAX_NAME, "pattern": super::schema::LABEL},
            "additionalProperties": {"type": "string", "maxLength": MAX_VALUE, "pattern": super::schema::LABEL},
        })
    }
}
