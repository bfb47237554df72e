//! Reads the types of the contract from JSON. What `serde` derives for them is seven times as much code: here an answer is read or it is
//! not, and a fault is noted, so that no field has a way out of its own.

mod objects;

use core::str::FromStr;

use checkout_wire::Word;
use checkout_wire::texts::Time;
use serde_json::{Map, Value};

/// `None` if the text is not JSON, or not that of the type.
pub fn read<T: Read>(text: &str) -> Option<T> {
    let mut wrong = false;
    let read = T::read(serde_json::from_str(text).ok(), &mut wrong);
    (!wrong).then_some(read)
}

/// A type of the contract.
pub trait Read {
    /// Of a value, or of a field that is missing. Notes whether it is wrong; what it returns then says nothing.
    fn read(value: Option<Value>, wrong: &mut bool) -> Self;
}

/// The fields of an object.
struct Fields<'a> {
    object: Map<String, Value>,
    wrong: &'a mut bool,
}

impl<'a> Fields<'a> {
    fn of(value: Option<Value>, wrong: &'a mut bool) -> Self {
        let object = noted(value.and_then(object), wrong);
        Self { object, wrong }
    }

    fn value(&mut self, field: &str) -> Option<Value> {
        self.object.get_mut(&key(field)).map(Value::take)
    }

    fn take<T: Read>(&mut self, field: &str) -> T {
        let value = self.value(field);
        T::read(value, self.wrong)
    }

    fn take_or_default<T: Read + Default>(&mut self, field: &str) -> T {
        match self.value(field) {
            None => T::default(),
            value => T::read(value, self.wrong),
        }
    }
}

/// `depositId` of `deposit_id`.
fn key(field: &str) -> String {
    // The name of the key is none in Rust.
    if field == "kind" {
        return "type".to_owned();
    }
    let mut key = String::with_capacity(field.len());
    let mut starts = false;
    for letter in field.chars() {
        match letter {
            '_' => starts = true,
            _ => key.push(if core::mem::take(&mut starts) { letter.to_ascii_uppercase() } else { letter }),
        }
    }
    key
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

fn noted<T: Default>(value: Option<T>, wrong: &mut bool) -> T {
    *wrong |= value.is_none();
    value.unwrap_or_default()
}

impl Read for String {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        let text = match value {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        noted(text, wrong)
    }
}

impl Read for bool {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        noted(value.and_then(|value| value.as_bool()), wrong)
    }
}

impl Read for u64 {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        noted(value.and_then(|value| value.as_u64()), wrong)
    }
}

impl Read for u32 {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        noted(u64::read(value, wrong).try_into().ok(), wrong)
    }
}

impl Read for Time {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        Self(u64::read(value, wrong))
    }
}

impl<T: FromStr> Read for Word<T> {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        let word = String::read(value, wrong);
        word.parse().map_or(Self::Other(word), Self::Known)
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        match value {
            None | Some(Value::Null) => None,
            value => Some(T::read(value, wrong)),
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        let values = match value {
            Some(Value::Array(values)) => Some(values),
            _ => None,
        };
        noted(values, wrong).into_iter().map(|value| T::read(Some(value), wrong)).collect()
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: Option<Value>, wrong: &mut bool) -> Self {
        Self::new(T::read(value, wrong))
    }
}
