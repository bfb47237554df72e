//! The names of a request's fields, from the type that describes it. An unknown name is an error: a misspelled tag
//! would be lost, and the money with it.

use std::any::TypeId;
use std::collections::BTreeMap;

use parking_lot::RwLock;
use schemars::{JsonSchema, SchemaGenerator};
use strsim::damerau_levenshtein;

/// Other names of fields, in every request that has the field.
pub const ALIASES: [(&str, &str); 1] = [("tag", "destinationTag")];

/// Longer names are no misspelling of a known one.
const LONGEST: usize = 64;

#[derive(Debug)]
pub struct Names(Vec<String>);

impl Names {
    /// The properties of `T`, computed once.
    pub fn of<T: JsonSchema + 'static>() -> &'static Self {
        static KNOWN: RwLock<BTreeMap<TypeId, &'static Names>> = RwLock::new(BTreeMap::new());
        let known = KNOWN.read().get(&TypeId::of::<T>()).copied();
        known.unwrap_or_else(|| {
            let schema = SchemaGenerator::default().into_root_schema_for::<T>();
            let properties = schema.get("properties").and_then(serde_json::Value::as_object);
            let names = properties.into_iter().flat_map(|properties| properties.keys().cloned());
            let mut known = KNOWN.write();
            *known.entry(TypeId::of::<T>()).or_insert_with(|| Box::leak(Box::new(Self(names.collect()))))
        })
    }

    #[cfg(test)]
    pub fn new(names: &[&str]) -> &'static Self {
        Box::leak(Box::new(Self(names.iter().map(|name| (*name).to_owned()).collect())))
    }

    /// The field with this name or alias.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.field(name).or_else(|| self.aliases().find(|(alias, _)| *alias == name).map(|(_, field)| field))
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|known| *known == name).map(String::as_str)
    }

    fn aliases(&self) -> impl Iterator<Item = (&'static str, &str)> {
        ALIASES.iter().filter_map(|(alias, name)| Some((*alias, self.field(name)?)))
    }

    /// The message for an unknown name.
    pub fn unknown(&self, name: &str) -> String {
        if let Some(nearest) = self.nearest(name) {
            return format!("is not known: did you mean `{nearest}`?");
        }
        if self.0.is_empty() {
            return "is not known: this request has no fields".to_owned();
        }
        format!("is not known: this request has {}", self.0.join(", "))
    }

    /// The known name with the fewest edits, at most a third of it. Case and separators do not count.
    fn nearest(&self, name: &str) -> Option<&str> {
        if name.len() > LONGEST {
            return None;
        }
        let given = plain(name);
        let all = self.0.iter().map(String::as_str).chain(self.aliases().map(|(alias, _)| alias));
        let near = all.filter_map(|known| {
            let known_plain = plain(known);
            let edits = damerau_levenshtein(&given, &known_plain);
            (edits <= (known_plain.len() / 3).max(1)).then_some((edits, known))
        });
        near.min_by_key(|(edits, _)| *edits).map(|(_, known)| known)
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use checkout_wire::create_withdrawal::CreateWithdrawal;

    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = Names::of::<CreateWithdrawal>();
        let check = |name: &str, expected: Option<&str>| assert_eq!(names.nearest(name), expected, "{name}");
        check("destinationtag", Some("destinationTag"));
        check("destination_tag", Some("destinationTag"));
        check("DestinationTag", Some("destinationTag"));
        check("destinatonTag", Some("destinationTag"));
        check("destinationTga", Some("destinationTag"));
        check("Tag", Some("tag"));
        check("tags", Some("tag"));
        check("clientWithdrawId", Some("clientWithdrawalId"));
        check("withdrawalCurrency", Some("withdrawCurrency"));
        check("netwrok", Some("network"));
        check("amount", None);
        check("memo", None);
        check("", None);
        check(&"destinationTag".repeat(5_000), None);
    }

    #[test]
    fn an_alias_is_known_where_its_field_is() {
        let names = Names::of::<CreateWithdrawal>();
        assert_eq!(names.find("tag"), Some("destinationTag"));
        assert_eq!(names.find("destinationTag"), Some("destinationTag"));
        assert_eq!(names.find("Tag"), None);
        assert_eq!(Names::new(&["network"]).find("tag"), None);
    }

    #[test]
    fn the_message_names_what_is_known() {
        let check = |names: &[&str], name: &str, expected: &str| {
            assert_eq!(Names::new(names).unknown(name), expected);
        };
        check(&["from", "to"], "form", "is not known: did you mean `from`?");
        check(&["from", "to"], "currency", "is not known: this request has from, to");
        check(&[], "from", "is not known: this request has no fields");
    }
}
