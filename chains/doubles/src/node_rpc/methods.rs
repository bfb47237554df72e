//! The methods of a node that the adapter may call, with their arguments. A method that is not in the table of a node is not there either.

use serde_json::Value;

/// The types of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Number,
    Flag,
    List,
    Object,
    Any,
}

pub(crate) struct Method {
    name: &'static str,
    /// How many must be given.
    least: usize,
    parameters: &'static [(&'static str, Type)],
    /// More arguments than it has are not refused.
    ignores_more: bool,
}

use Type::{Any, Flag, List, Number, Object, Text};

pub(crate) const fn method(
    name: &'static str,
    least: usize,
    parameters: &'static [(&'static str, Type)],
) -> Method {
    Method { name, least, parameters, ignores_more: false }
}

impl Method {
    pub(crate) const fn ignoring_more(self) -> Self {
        Self { ignores_more: true, ..self }
    }

    pub(crate) fn find(methods: &'static [Self], name: &str) -> Result<&'static Self, (i64, String)> {
        let found = methods.iter().find(|method| method.name == name);
        found.ok_or_else(|| (-32601, "Method not found".to_owned()))
    }

    /// The arguments by position; names are accepted, too (`transformNamedArguments`).
    /// `options`: the keys of the second argument of `fundrawtransaction`.
    pub(crate) fn checked(&self, given: &Value, options: &[&str]) -> Result<Vec<Value>, (i64, String)> {
        let mut given = match given {
            Value::Object(named) => self.by_position(named)?,
            Value::Array(list) => list.clone(),
            _ => Vec::new(),
        };
        if self.ignores_more {
            given.truncate(self.parameters.len());
        }
        if given.len() > self.parameters.len() || given.len() < self.least {
            // The original answers with the whole help.
            return Err((-1, format!("{}\n\nArguments: …", self.name)));
        }
        for (at, (value, (_, expected))) in given.iter().zip(self.parameters).enumerate() {
            if !expected.takes(value) {
                let (expected, got) = (expected.name(), name(value));
                return Err((-3, format!("Expected type {expected} at index {at}, got {got}")));
            }
        }
        let funding = given.get(1).and_then(Value::as_object).filter(|_| self.name == "fundrawtransaction");
        if let Some(unknown) = funding.and_then(|all| all.keys().find(|key| !options.contains(&key.as_str())))
        {
            return Err((-3, format!("Unexpected key {unknown}")));
        }
        Ok(given)
    }

    fn by_position(&self, named: &serde_json::Map<String, Value>) -> Result<Vec<Value>, (i64, String)> {
        let is_known = |name: &&String| {
            self.parameters.iter().any(|(names, _)| names.split('|').any(|known| known == name.as_str()))
        };
        if let Some(unknown) = named.keys().find(|name| !is_known(name)) {
            return Err((-8, format!("Unknown named parameter {unknown}")));
        }
        let value = |(names, _): &(&str, Type)| names.split('|').find_map(|name| named.get(name)).cloned();
        let mut values: Vec<Option<Value>> = self.parameters.iter().map(value).collect();
        while values.last() == Some(&None) {
            values.pop();
        }
        Ok(values.into_iter().map(Option::unwrap_or_default).collect())
    }
}

impl Type {
    fn takes(self, value: &Value) -> bool {
        value.is_null()
            || match self {
                Text => value.is_string(),
                Number => value.is_number(),
                Flag => value.is_boolean(),
                List => value.is_array(),
                Object => value.is_object(),
                Any => true,
            }
    }

    fn name(self) -> &'static str {
        match self {
            Text => "string",
            Number => "number",
            Flag => "bool",
            List => "array",
            Object | Any => "object",
        }
    }
}

fn name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
