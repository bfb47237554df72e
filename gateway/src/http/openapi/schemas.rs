//! The schemas of the wire types.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::operation::SchemaOf;

/// Collects the named schemas of everything that is sent one way.
pub(super) struct Schemas {
    generator: SchemaGenerator,
}

impl Schemas {
    /// Of what is read: what is optional may be `null`.
    pub(super) fn of_requests() -> Self {
        Self::new(SchemaSettings::draft2020_12().for_deserialize())
    }

    /// Of what is written: what is not there is left out.
    pub(super) fn of_answers() -> Self {
        Self::new(SchemaSettings::draft2020_12().for_serialize())
    }

    fn new(settings: SchemaSettings) -> Self {
        let settings = settings.with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self { generator: settings.into_generator() }
    }

    /// A schema, or a reference to it among the components.
    pub(super) fn of(&mut self, schema: SchemaOf) -> Value {
        schema(&mut self.generator).to_value()
    }

    /// The named schemas.
    pub(super) fn into_components(mut self) -> Map<String, Value> {
        self.generator.take_definitions(true)
    }
}

/// Adds keywords, and takes away those that are `null`; a value that may be `null` stays one.
pub(super) fn extend(schema: &mut Map<String, Value>, more: Value) {
    let nullable = |schema: &Map<String, Value>| match schema.get("type") {
        Some(Value::Array(types)) => types.contains(&json!("null")),
        _ => false,
    };
    let was_nullable = nullable(schema);
    let Value::Object(more) = more else { return };
    for (keyword, value) in more {
        if value.is_null() {
            schema.remove(&keyword);
            continue;
        }
        let value = match (keyword.as_str(), value) {
            ("type" | "enum", Value::Array(mut all)) if was_nullable => {
                all.push(if keyword == "type" { json!("null") } else { Value::Null });
                Value::Array(all)
            }
            (_, value) => value,
        };
        schema.insert(keyword, value);
    }
}
