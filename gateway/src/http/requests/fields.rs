//! A request body, read field by field so that all errors are reported at once.
//!
//! Numbers keep their exact text: an amount is never read through a float.

mod text_map;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::str::FromStr;

use checkout_domain::chain::opt_ins::OptIns;
use checkout_wire::FieldError;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::names::Names;
use crate::texts;
use crate::texts::amount::without_zeros;

/// The maximum number of listed errors per request.
pub const MAX_ERRORS: usize = 50;

/// Why a body cannot be read at all.
#[derive(Debug)]
pub enum Unreadable {
    /// Not JSON; the text has the position.
    Syntax(String),
    /// JSON, but not an object.
    NotAnObject,
}

/// The fields of a JSON object and the errors found so far. Unknown names are errors from the start.
#[derive(Debug)]
pub struct Fields {
    names: &'static Names,
    /// All values but `null`.
    entries: BTreeMap<&'static str, Box<RawValue>>,
    /// By the name of the field.
    aliases: BTreeMap<&'static str, String>,
    errors: Vec<FieldError>,
    opt_ins: OptIns,
}

/// One value, by its JSON type, with its exact text.
enum Value<'a> {
    Text(String),
    Number(&'a str),
    Boolean(bool),
    Other,
}

impl Fields {
    pub fn parse(body: &[u8], names: &'static Names) -> Result<Self, Unreadable> {
        let whole: &RawValue =
            serde_json::from_slice(body).map_err(|error| Unreadable::Syntax(error.to_string()))?;
        if !whole.get().starts_with('{') {
            return Err(Unreadable::NotAnObject);
        }
        let Entries(entries) =
            serde_json::from_str(whole.get()).map_err(|error| Unreadable::Syntax(error.to_string()))?;
        Ok(Self::of_entries(entries, names))
    }

    /// The parameters of a query; every value is a text.
    pub fn of_texts(parameters: Vec<(String, String)>, names: &'static Names) -> Self {
        let raw = |text| serde_json::value::to_raw_value(&text).expect("a text is JSON");
        Self::of_entries(parameters.into_iter().map(|(name, text)| (name, raw(text))).collect(), names)
    }

    fn of_entries(entries: Vec<(String, Box<RawValue>)>, names: &'static Names) -> Self {
        let (entries, doubled) = unique(entries);
        let mut fields = Self {
            names,
            entries: BTreeMap::new(),
            aliases: BTreeMap::new(),
            errors: Vec::new(),
            opt_ins: OptIns::default(),
        };
        for name in doubled {
            fields.error(&name, "duplicate_field", "is given twice");
        }
        for (name, raw) in entries {
            fields.add(name, raw);
        }
        fields
    }

    /// The networks beyond the interface whose codes are known.
    #[must_use]
    pub fn knowing(self, opt_ins: OptIns) -> Self {
        Self { opt_ins, ..self }
    }

    pub fn opt_ins(&self) -> &OptIns {
        &self.opt_ins
    }

    fn add(&mut self, given: String, raw: Box<RawValue>) {
        let Some(name) = self.names.find(&given) else {
            if self.errors.len() < MAX_ERRORS {
                self.error(&given, "unknown_field", self.names.unknown(&given));
            }
            return;
        };
        if raw.get() == "null" {
            return;
        }
        match self.entries.entry(name) {
            Entry::Vacant(place) => drop(place.insert(raw)),
            Entry::Occupied(_) => {
                let detail = format!("is another name of `{name}`, which is given, too");
                return self.error(&given, "duplicate_field", detail);
            }
        }
        if given != name {
            self.aliases.insert(name, given);
        }
    }

    /// Records an error of a field.
    pub fn error(&mut self, name: &str, code: &str, detail: impl Into<String>) {
        self.push(Some(FieldError::of(self.aliases.get(name).map_or(name, String::as_str), code, detail)));
    }

    /// Records what is wrong with what was read.
    pub fn push(&mut self, error: Option<FieldError>) {
        self.errors.extend(error.filter(|_| self.errors.len() < MAX_ERRORS));
    }

    /// What was read of a field. Records the code and the detail of an error.
    pub fn accept<T>(&mut self, name: &str, read: Result<T, (&str, impl Into<String>)>) -> Option<T> {
        read.map_err(|(code, detail)| self.error(name, code, detail)).ok()
    }

    /// The first [`MAX_ERRORS`] errors, in order of detection.
    pub fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }

    /// The result of `read`, or all errors.
    pub fn read<R>(mut self, read: impl FnOnce(&mut Self) -> Option<R>) -> Result<R, Vec<FieldError>> {
        match read(&mut self) {
            Some(request) if self.is_valid() => Ok(request),
            _ => Err(self.into_errors()),
        }
    }

    /// The same, or all errors.
    pub fn valid(self) -> Result<Self, Vec<FieldError>> {
        if self.is_valid() { Ok(self) } else { Err(self.into_errors()) }
    }

    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// The name by which the request has a field.
    pub fn given(&self, name: &str) -> Option<String> {
        self.has(name).then(|| self.aliases.get(name).map_or(name, String::as_str).to_owned())
    }

    /// Whether the field is present and not `null`.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// An optional text, which must pass [`texts::check`].
    pub fn text(&mut self, name: &str) -> Option<String> {
        let text = self.any_text(name)?;
        self.checked(name, text)
    }

    /// An optional text that is never stored: any Unicode.
    pub fn any_text(&mut self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::Text(text) => Some(text),
            _ => self.wrong_type(name, "a text"),
        }
    }

    /// A required text that is never stored.
    pub fn required_any_text(&mut self, name: &str) -> Option<String> {
        self.require(name);
        self.any_text(name)
    }

    fn checked(&mut self, name: &str, text: String) -> Option<String> {
        let fault = texts::check(&text).err();
        self.accept(name, fault.map_or(Ok(text), |fault| Err((fault.code(), fault.detail()))))
    }

    /// A required text.
    pub fn required_text(&mut self, name: &str) -> Option<String> {
        self.require(name);
        self.text(name)
    }

    /// A decimal number, as a JSON string or number, with its exact characters.
    pub fn decimal_text(&mut self, name: &str) -> Option<String> {
        let text = self.any_decimal_text(name)?;
        self.checked(name, text)
    }

    /// The same for a text that is never stored.
    pub fn any_decimal_text(&mut self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::Text(text) => Some(text),
            Value::Number(text) => Some(text.to_owned()),
            _ => self.wrong_type(name, "a decimal number, as a text or a number"),
        }
    }

    /// A whole number from `min` to `max`. `30.0` is one: some languages have no other numbers.
    pub fn integer(&mut self, name: &str, min: u64, max: u64) -> Option<u64> {
        let text = match self.value(name)? {
            Value::Number(text) => without_zeros(text, 0).to_owned(),
            _ => return self.wrong_type(name, "a whole number"),
        };
        let digits = text.strip_prefix('-').unwrap_or(&text);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.wrong_type(name, "a whole number");
        }
        let value = text.parse().ok().filter(|value| (min..=max).contains(value));
        self.accept(name, value.ok_or_else(|| ("out_of_range", format!("must be from {min} to {max}"))))
    }

    /// An optional boolean.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        match self.value(name)? {
            Value::Boolean(value) => Some(value),
            _ => self.wrong_type(name, "true or false"),
        }
    }

    /// An optional list of texts.
    pub fn texts(&mut self, name: &str) -> Option<Vec<String>> {
        if !self.has(name) {
            return None;
        }
        let texts: Option<Vec<String>> =
            self.entries.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok());
        match texts {
            Some(texts) => texts.into_iter().map(|text| self.checked(name, text)).collect(),
            None => self.wrong_type(name, "a list of texts"),
        }
    }

    /// An optional word from `words`.
    pub fn word<T>(&mut self, name: &str, words: &[&str], known: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = known(&self.text(name)?);
        self.accept(
            name,
            value.ok_or_else(|| ("unknown_value", format!("must be one of {}", words.join(", ")))),
        )
    }

    /// A value parsed from a text.
    pub fn parsed<T: FromStr>(&mut self, name: &str, code: &str, detail: &str) -> Option<T> {
        let value = self.text(name)?.parse();
        self.accept(name, value.map_err(|_| (code, detail)))
    }

    /// Records an error if the field is absent.
    pub fn require(&mut self, name: &str) {
        if !self.has(name) {
            self.error(name, "required", "is required");
        }
    }

    fn wrong_type<T>(&mut self, name: &str, expected: &str) -> Option<T> {
        self.error(name, "wrong_type", format!("must be {expected}"));
        None
    }

    fn value(&self, name: &str) -> Option<Value<'_>> {
        debug_assert!(self.names.find(name) == Some(name), "{name} is read, but not described");
        #[cfg(debug_assertions)]
        asked::note(name);
        let raw = self.entries.get(name)?.get();
        match raw.as_bytes().first()? {
            b'"' => Some(serde_json::from_str(raw).map_or(Value::Other, Value::Text)),
            b't' => Some(Value::Boolean(true)),
            b'f' => Some(Value::Boolean(false)),
            b'-' | b'0'..=b'9' => Some(Value::Number(raw)),
            _ => Some(Value::Other),
        }
    }
}

/// The first value of each key, and at most [`MAX_ERRORS`] duplicate keys.
fn unique<K: Ord + Clone, V>(entries: Vec<(K, V)>) -> (BTreeMap<K, V>, Vec<K>) {
    let (mut unique, mut doubled) = (BTreeMap::new(), Vec::new());
    for (key, value) in entries {
        match unique.entry(key) {
            Entry::Vacant(place) => drop(place.insert(value)),
            Entry::Occupied(first) if doubled.len() < MAX_ERRORS => doubled.push(first.key().clone()),
            Entry::Occupied(_) => {}
        }
    }
    (unique, doubled)
}

/// The names read on this thread, which are the fields of a request. For tests.
#[cfg(debug_assertions)]
pub mod asked {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        static NAMES: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub fn note(name: &str) {
        NAMES.with_borrow_mut(|names| names.insert(name.to_owned()));
    }

    pub fn take() -> BTreeSet<String> {
        NAMES.take()
    }
}

/// All entries of an object in their order, including duplicates.
struct Entries(Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::cmp::Ordering;

    use super::*;

    fn codes(fields: Fields) -> Vec<(String, String)> {
        fields.into_errors().into_iter().map(|error| (error.pointer, error.code)).collect()
    }

    #[test]
    fn numbers_keep_every_digit() {
        let mut fields = Fields::parse(
            br#"{"a": 1.123456789012345678, "b": "2.50", "c": 1e5}"#,
            Names::new(&["a", "b", "c"]),
        )
        .unwrap();
        assert_eq!(fields.decimal_text("a").unwrap(), "1.123456789012345678");
        assert_eq!(fields.decimal_text("b").unwrap(), "2.50");
        assert_eq!(fields.decimal_text("c").unwrap(), "1e5");
        assert!(fields.is_valid());
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let body = br#"{"a": 1, "b": "x", "c": 1.5, "d": null, "e": [1], "f": -1, "a/b": 0, "g": 1, "g": 2}"#;
        let names = Names::new(&["a", "b", "c", "d", "e", "f", "a/b", "g"]);
        let mut fields = Fields::parse(body, names).unwrap();
        fields.text("a");
        fields.integer("b", 0, 9);
        fields.integer("c", 0, 9);
        fields.required_text("d");
        fields.boolean("e");
        fields.integer("f", 0, 9);
        fields.text("a/b");
        let expected = [
            ("/g", "duplicate_field"),
            ("/a", "wrong_type"),
            ("/b", "wrong_type"),
            ("/c", "wrong_type"),
            ("/d", "required"),
            ("/e", "wrong_type"),
            ("/f", "out_of_range"),
            ("/a~1b", "wrong_type"),
        ];
        let expected = expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned()));
        assert_eq!(codes(fields), expected);
    }

    thread_local! {
        static COMPARED: Cell<u64> = const { Cell::new(0) };
    }

    /// Counts how often keys are compared.
    #[derive(Clone, PartialEq, Eq)]
    struct Counted(u64);

    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Counted {
        fn cmp(&self, other: &Self) -> Ordering {
            COMPARED.set(COMPARED.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn many_keys_are_compared_n_log_n_times() {
        let keys = (0..8_192_u64).map(|key| (Counted(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), ()));
        let (unique, doubled) = unique(keys.clone().chain(keys).collect());
        assert_eq!((unique.len(), doubled.len()), (8_192, MAX_ERRORS));
        let each = COMPARED.get() / 16_384;
        assert!(each < 64, "{each} comparisons for each key; all with all are 8,192");
    }

    #[test]
    fn at_most_fifty_errors_are_listed() {
        let body = format!("{{\"a\":1{}}}", ",\"a\":1".repeat(9_000));
        let fields = Fields::parse(body.as_bytes(), Names::new(&["a"])).unwrap();
        assert!(!fields.is_valid());
        assert_eq!(fields.into_errors().len(), MAX_ERRORS);
    }

    #[test]
    fn unknown_names_are_errors() {
        let check = |body: &str, expected: &[(&str, &str)]| {
            let fields = Fields::parse(body.as_bytes(), Names::new(&["network", "destinationTag"])).unwrap();
            let expected: Vec<_> =
                expected.iter().map(|(pointer, code)| ((*pointer).to_owned(), (*code).to_owned())).collect();
            assert_eq!(codes(fields), expected, "{body}");
        };
        check(r#"{"network": "XRP", "destinationTag": "7"}"#, &[]);
        check(r#"{"network": "XRP", "tag": "7"}"#, &[]);
        check(r#"{"destinationtag": "7"}"#, &[("/destinationtag", "unknown_field")]);
        check(r#"{"destinationtag": null}"#, &[("/destinationtag", "unknown_field")]);
        check(r#"{"Network": 1, "~/": 2}"#, &[("/Network", "unknown_field"), ("/~0~1", "unknown_field")]);
        check(r#"{"tag": "7", "destinationTag": "7"}"#, &[("/tag", "duplicate_field")]);
        check(r#"{"tag": "7", "destinationTag": null}"#, &[]);
        check(r#"{"tag": null, "destinationTag": "7"}"#, &[]);
        check(r#"{"a": 1, "a": 1}"#, &[("/a", "duplicate_field"), ("/a", "unknown_field")]);
        let many: Vec<String> = (0..9_000).map(|number| format!("\"a{number}\":1")).collect();
        let many = format!("{{\"a\":1,{}}}", many.join(","));
        let fields = Fields::parse(many.as_bytes(), Names::new(&["a"])).unwrap();
        assert_eq!(fields.into_errors().len(), MAX_ERRORS);
    }

    #[test]
    fn errors_of_an_alias_name_it() {
        let mut fields = Fields::parse(br#"{"tag": true}"#, Names::new(&["destinationTag"])).unwrap();
        fields.decimal_text("destinationTag");
        assert_eq!(codes(fields), [("/tag".to_owned(), "wrong_type".to_owned())]);
    }

    #[test]
    fn whole_numbers_may_have_a_zero_fraction() {
        let check = |number: &str, expected: Option<u64>| {
            let body = format!("{{\"a\": {number}}}");
            let mut fields = Fields::parse(body.as_bytes(), Names::new(&["a"])).unwrap();
            assert_eq!(fields.integer("a", 0, 100), expected, "{number}");
            assert_eq!(fields.is_valid(), expected.is_some(), "{number}");
        };
        check("30", Some(30));
        check("30.0", Some(30));
        check("0.00", Some(0));
        check("100.0", Some(100));
        for number in ["30.5", "30.01", "3e1", "30.0e0", "101.0", "-1.0", "-30", "\"30.0\"", "true", "[30.0]"]
        {
            check(number, None);
        }
    }

    #[test]
    fn a_body_must_be_an_object() {
        let names = Names::new(&[]);
        for body in ["", "{", "{\"a\":}", "nonsense", "{} {}", "{\"a\":1,}"] {
            assert!(matches!(Fields::parse(body.as_bytes(), names), Err(Unreadable::Syntax(_))), "{body:?}");
        }
        for body in ["[]", "1", "null", "\"text\"", "true"] {
            assert!(
                matches!(Fields::parse(body.as_bytes(), names), Err(Unreadable::NotAnObject)),
                "{body:?}"
            );
        }
        assert!(matches!(Fields::parse(&[b'{', 0xff, b'}'], names), Err(Unreadable::Syntax(_))));
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        assert!(matches!(Fields::parse(deep.as_bytes(), names), Err(Unreadable::Syntax(_))));
    }
}
