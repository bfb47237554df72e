//! The schemas of the wire types: derived, then refined by the vocabulary.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::operation::SchemaOf;
use super::vocabulary;

/// Collects the named schemas of everything that is sent one way.
pub(super) struct Schemas {
    generator: SchemaGenerator,
    requests: bool,
}

impl Schemas {
    /// Of what is read: what is optional may be `null`.
    pub(super) fn of_requests() -> Self {
        Self::new(SchemaSettings::draft2020_12().for_deserialize(), true)
    }

    /// Of what is written: what is not there is left out.
    pub(super) fn of_answers() -> Self {
        Self::new(SchemaSettings::draft2020_12().for_serialize(), false)
    }

    fn new(settings: SchemaSettings, requests: bool) -> Self {
        let settings = settings.with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self { generator: settings.into_generator(), requests }
    }

    /// A schema, or a reference to it among the components.
    pub(super) fn of(&mut self, schema: SchemaOf) -> Value {
        schema(&mut self.generator).to_value()
    }

    /// The named schemas, refined.
    pub(super) fn into_components(mut self) -> Map<String, Value> {
        let mut components = self.generator.take_definitions(true);
        for (name, schema) in &mut components {
            let Some(Value::Object(properties)) = schema.get_mut("properties") else { continue };
            for (property, schema) in properties {
                refine(name, property, schema, self.requests);
            }
        }
        components
    }
}

/// Takes away what says nothing to a reader and adds what the vocabulary says.
fn refine(owner: &str, property: &str, schema: &mut Value, requests: bool) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("default");
    if !requests {
        drop_null(keywords);
    }
    if keywords.get("format").is_some_and(|format| format.as_str().is_some_and(|f| f.starts_with("uint"))) {
        keywords.remove("format");
    }
    let Some((grammar, meaning)) = vocabulary::look_up(owner, property) else { return };
    let more = vocabulary::keywords(grammar);
    if let Some(Value::Object(items)) = keywords.get_mut("items") {
        // What is said of a name in the plural holds for each.
        if items.get("type") == Some(&json!("string")) {
            extend(items, more);
        }
    } else if !keywords.contains_key("enum") && !keywords.contains_key("$ref") {
        extend(keywords, more);
    }
    keywords.entry("description").or_insert_with(|| json!(meaning));
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

/// `["string", "null"]` is `"string"` where nothing is ever `null`.
fn drop_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            schema.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = schema.get("anyOf") {
        let mut real = choices.iter().filter(|choice| choice.get("type") != Some(&json!("null")));
        if let (Some(Value::Object(one)), None) = (real.next().cloned(), real.next()) {
            schema.remove("anyOf");
            schema.extend(one);
        }
    }
}
