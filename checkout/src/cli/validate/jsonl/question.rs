//! One input line. Errors never quote the line, because it may contain a secret.

use std::borrow::Cow;
use std::fmt;

use checkout_core::tag::MemoType;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) currency: Cow<'a, str>,
    pub(super) network: Cow<'a, str>,
    pub(super) address: Cow<'a, str>,
    pub(super) destination_tag: Option<Cow<'a, str>>,
    pub(super) memo_type: Option<MemoType>,
}

/// A missing value can be `null`. Unknown keys are errors: a misspelled `destinationTag` would misdirect the
/// money.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Line<'a> {
    #[serde(borrow)]
    currency: Field<'a>,
    #[serde(borrow)]
    network: Field<'a>,
    #[serde(borrow)]
    address: Field<'a>,
    #[serde(borrow)]
    destination_tag: Field<'a>,
    /// An alias of `destinationTag`, named like the flag.
    #[serde(borrow)]
    tag: Field<'a>,
    #[serde(borrow)]
    memo_type: Field<'a>,
}

impl<'a> Question<'a> {
    pub(super) fn read(line: &'a [u8]) -> Result<Self, String> {
        // JSON arrays are refused here: serde would also deserialize the struct from one.
        if !matches!(line.trim_ascii_start(), [b'{', ..]) {
            let error = serde_json::from_slice::<IgnoredAny>(line).err();
            return Err(error.as_ref().map_or_else(|| "not a JSON object".to_owned(), not_json));
        }
        let line: Line<'_> = serde_json::from_slice(line).map_err(|error| unreadable(&error))?;
        let tags = (line.destination_tag.tag("destinationTag")?, line.tag.tag("tag")?);
        let destination_tag = match tags {
            (Some(_), Some(_)) => return Err("give either destinationTag or tag".to_owned()),
            (one, other) => one.or(other),
        };
        Ok(Self {
            currency: line.currency.required("currency")?,
            network: line.network.required("network")?,
            address: line.address.required("address")?,
            destination_tag,
            memo_type: match line.memo_type.text("memoType")? {
                None => None,
                Some(word) => Some(word.parse().map_err(|_| "memoType must be text, id or hash")?),
            },
        })
    }
}

/// An unknown name may contain a secret.
fn unreadable(error: &serde_json::Error) -> String {
    if error.to_string().starts_with("unknown field") {
        return "unknown key; valid keys are currency, network, address, destinationTag (or tag) and memoType"
            .to_owned();
    }
    not_json(error)
}

/// Removes the line number, which is always 1 because each line is parsed separately.
fn not_json(error: &serde_json::Error) -> String {
    format!("not JSON: {error}").replace(" at line 1 column ", " at column ")
}

/// Accepts any JSON value but keeps only strings.
#[derive(Default)]
enum Field<'a> {
    #[default]
    Missing,
    Text(Cow<'a, str>),
    Number(u64),
    Other,
}

impl<'a> Field<'a> {
    fn text(self, name: &str) -> Result<Option<Cow<'a, str>>, String> {
        match self {
            Self::Missing => Ok(None),
            Self::Text(text) => Ok(Some(text)),
            Self::Number(_) | Self::Other => Err(format!("{name} must be a string")),
        }
    }

    /// A string, or a whole number with its exact digits.
    fn tag(self, name: &str) -> Result<Option<Cow<'a, str>>, String> {
        match self {
            Self::Number(number) => Ok(Some(number.to_string().into())),
            Self::Other => Err(format!("{name} must be a string or a whole number")),
            field => field.text(name),
        }
    }

    fn required(self, name: &str) -> Result<Cow<'a, str>, String> {
        self.text(name)?.ok_or_else(|| format!("{name} is required"))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Field<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Field<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Field::Missing)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Field::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Field::Other)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Field::Number(number))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Field::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Field::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::Other)
    }
}
