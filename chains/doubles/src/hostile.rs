//! Hostile answers of the test servers. Each is a row of the table of its server, and makes one payment odd.

use std::fmt;
use std::time::Duration;

use axum::http::header::CONTENT_ENCODING;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

/// An answer that is odd in one place.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Whose answers are hostile: the name of a method, or of what a path asks for; `*` of all.
    pub call: &'static str,
    /// The kind of payment that is odd; `payment` is the usual one.
    pub of: &'static str,
    pub odd: Odd,
    pub costs: Costs,
}

#[derive(Clone, Copy, Debug)]
pub enum Odd {
    /// A field of the entry, by JSON pointer, is this text. An empty pointer is the whole entry.
    Is(&'static str, &'static str),
    /// A field of the entry is a text of so many bytes.
    Long(&'static str, usize),
    Lacks(&'static str),
    /// A field beside the entries, by JSON pointer, is this text.
    Head(&'static str, &'static str),
    /// A text of the entry is in upper case.
    Upper(&'static str),
    /// A field of the object whose list has the entry, by JSON pointer, is this text.
    Beside(&'static str, &'static str),
    LeftOut,
    Twice,
    /// The entry is there a second time, after it, and a field of that is this text.
    TwiceBut(&'static str, &'static str),
    /// The list is in the other order.
    Reversed,
    /// A page has so many entries, whatever was asked for.
    PageOf(usize),
    /// The list begins with the oldest entry, and a page has this many.
    OldestFirst(usize),
    /// The id of a JSON-RPC answer is this text.
    Id(&'static str),
    /// The whole answer is this status and text, for everything that is asked or for this entry only.
    Says(u16, &'static str),
    /// It comes after so many milliseconds.
    Late(u64),
    /// Another server behind the same URL answers, which is behind or of another network.
    Elsewhere,
}

/// What the hostile answer may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// The odd payment is credited like the others.
    Nothing,
    /// The odd payment is listed by its id.
    Entry,
    /// It is listed by another name, because its id is not readable.
    Name,
    /// It is credited when the server answers otherwise, and all others at once.
    Later,
    /// It is none of ours: neither credited nor listed.
    NotOurs,
    /// Nothing is read while it lasts, and all is credited afterwards.
    Answer,
}

pub const fn row(call: &'static str, odd: Odd, costs: Costs) -> Row {
    Row { call, of: "payment", odd, costs }
}

impl Row {
    #[must_use]
    pub const fn of(self, of: &'static str) -> Self {
        Self { of, ..self }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {:?}", self.call, self.of, self.odd)
    }
}

/// The switch of a server.
#[derive(Clone, Debug, Default)]
pub struct Hostile {
    odd: Option<(Row, String)>,
    /// Two servers behind the URL answer in turns, at random, and one of them is not odd. A seed; 0 for a single server.
    turns: u32,
}

/// Stands in a row for a byte that no text has.
const NO_TEXT: &str = "\u{F8FF}";

/// The beginning of compressed data, and something else.
pub const COMPRESSED: &str = "\u{1f}\u{8b}\u{8}\u{0}no deflate stream";

/// Stands in the answer for a text that no JSON value is.
const PLACE: &str = "hostile text";

impl Hostile {
    /// From now on the answers about this transaction are odd; what is said is said about all of them without an id.
    pub fn arm(&mut self, row: Row, transaction: &str) {
        *self = Self { odd: Some((row, transaction.to_owned())), turns: 0 };
    }

    pub fn disarm(&mut self) {
        *self = Self::default();
    }

    /// From now on another server, which is not odd, answers in turns.
    pub fn take_turns(&mut self, seed: u32) {
        self.turns = seed;
    }

    /// The server that answers the next request.
    #[must_use]
    pub fn answering(&mut self) -> Self {
        if self.turns == 0 {
            return self.clone();
        }
        // Numerical Recipes, a linear congruential generator, of which the high bits are used.
        self.turns = self.turns.wrapping_mul(1_664_525).wrapping_add(1_013_904_223).max(1);
        if self.turns >> 31 == 0 { self.clone() } else { Self::default() }
    }

    fn odd(&self, call: &str) -> Option<(Odd, &str)> {
        let (row, id) = self.odd.as_ref()?;
        (row.call == call || row.call == "*").then_some((row.odd, id))
    }

    /// The entries of a page where so many were asked for.
    pub fn page(&self, call: &str, asked: usize) -> usize {
        match self.odd(call) {
            Some((Odd::PageOf(entries) | Odd::OldestFirst(entries), _)) => entries.min(asked),
            _ => asked,
        }
    }

    pub fn is_oldest_first(&self, call: &str) -> bool {
        matches!(self.odd(call), Some((Odd::OldestFirst(_), _)))
    }

    /// The id of an answer, which is about this object.
    pub fn id(&self, call: &str, about: Option<&str>) -> Option<Value> {
        let (odd, id) = self.odd(call)?;
        let Odd::Id(text) = odd else { return None };
        let is_of = about.is_none_or(|about| about.eq_ignore_ascii_case(id));
        is_of.then(|| serde_json::from_str(text).expect("an id is JSON"))
    }

    pub fn pause(&self, call: &str) -> Duration {
        match self.odd(call) {
            Some((Odd::Late(millis), _)) => Duration::from_millis(millis),
            _ => Duration::ZERO,
        }
    }

    /// Status and text instead of an answer. `about`: the object that is asked for, where a call is about one.
    pub fn refusal(&self, call: &str, about: Option<&str>) -> Option<(u16, &'static str)> {
        match self.odd(call) {
            Some((Odd::Says(status, text), id))
                if id.is_empty() || about.is_none_or(|about| about.eq_ignore_ascii_case(id)) =>
            {
                Some((status, text))
            }
            _ => None,
        }
    }

    pub fn is_elsewhere(&self, call: &str) -> bool {
        matches!(self.odd(call), Some((Odd::Elsewhere, _)))
    }

    /// Makes the entry odd. [`text`](Self::text) finishes it.
    pub fn edit(&self, call: &str, answer: &mut Value) {
        let Some((odd, id)) = self.odd(call) else { return };
        match odd {
            Odd::Head(pointer, _) => {
                if let Some(field) = made(answer, pointer) {
                    *field = PLACE.into();
                }
            }
            Odd::Is(pointer, _) | Odd::Long(pointer, _) => {
                if let Some(field) = entry(answer, id).and_then(|entry| made(entry, pointer)) {
                    *field = PLACE.into();
                }
            }
            Odd::Lacks(pointer) => {
                let (parent, name) = pointer.rsplit_once('/').expect("a pointer starts with /");
                let parent = entry(answer, id).and_then(|entry| entry.pointer_mut(parent));
                if let Some(fields) = parent.and_then(Value::as_object_mut) {
                    fields.remove(name);
                }
            }
            Odd::Upper(pointer) => {
                if let Some(Value::String(text)) =
                    entry(answer, id).and_then(|entry| entry.pointer_mut(pointer))
                {
                    text.make_ascii_uppercase();
                }
            }
            Odd::Beside(pointer, _) => {
                if let Some(field) = around(answer, id).and_then(|object| made(object, pointer)) {
                    *field = PLACE.into();
                }
            }
            Odd::LeftOut => list(answer, id, &|list, at| drop(list.remove(at))),
            Odd::Twice => list(answer, id, &|list, at| list.insert(at, list[at].clone())),
            Odd::TwiceBut(pointer, _) => list(answer, id, &|list, at| {
                let mut other = list[at].clone();
                if let Some(field) = made(&mut other, pointer) {
                    *field = PLACE.into();
                }
                list.insert(at + 1, other);
            }),
            Odd::Reversed => list(answer, id, &|list, _| list.reverse()),
            Odd::PageOf(_)
            | Odd::OldestFirst(_)
            | Odd::Id(_)
            | Odd::Says(..)
            | Odd::Late(_)
            | Odd::Elsewhere => {}
        }
    }

    /// A refusal. One that begins as compressed data does is said to be compressed.
    pub fn response((status, text): (u16, &str)) -> Response {
        let status = StatusCode::from_u16(status).expect("a status");
        let mut response = (status, text.to_owned()).into_response();
        if text.starts_with('\u{1f}') {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }

    /// With the bytes that are no text.
    pub fn bytes(&self, call: &str, answer: String) -> Vec<u8> {
        let text = self.text(call, answer);
        let mut bytes = Vec::with_capacity(text.len());
        for (number, part) in text.split(NO_TEXT).enumerate() {
            if number > 0 {
                bytes.push(0xFF);
            }
            bytes.extend_from_slice(part.as_bytes());
        }
        bytes
    }

    pub fn text(&self, call: &str, answer: String) -> String {
        match self.odd(call) {
            Some((
                Odd::Is(_, text) | Odd::TwiceBut(_, text) | Odd::Head(_, text) | Odd::Beside(_, text),
                _,
            )) => answer.replace(&format!("\"{PLACE}\""), text),
            Some((Odd::Long(_, bytes), _)) => {
                answer.replacen(PLACE, &format!("0x{}", "00".repeat(bytes / 2)), 1)
            }
            _ => answer,
        }
    }
}

/// Whether an object is the entry of a transaction.
fn is(value: &Value, id: &str) -> bool {
    let names =
        ["/hash", "/tx/hash", "/transaction_hash", "/transactionHash", "/txHash", "/txid", "/txID", "/id"];
    names.iter().any(|name| value.pointer(name).and_then(Value::as_str) == Some(id))
}

fn entry<'a>(answer: &'a mut Value, id: &str) -> Option<&'a mut Value> {
    if is(answer, id) {
        return Some(answer);
    }
    match answer {
        // A transaction that spends it names it, too.
        Value::Array(list) => match list.iter().position(|item| is(item, id)) {
            Some(at) => list.get_mut(at),
            None => list.iter_mut().find_map(|item| entry(item, id)),
        },
        Value::Object(fields) => fields.values_mut().find_map(|field| entry(field, id)),
        _ => None,
    }
}

/// The object whose list has the entry.
fn around<'a>(answer: &'a mut Value, id: &str) -> Option<&'a mut Value> {
    let has = |value: &Value| value.as_array().is_some_and(|list| list.iter().any(|item| is(item, id)));
    if answer.as_object().is_some_and(|fields| fields.values().any(has)) {
        return Some(answer);
    }
    match answer {
        Value::Array(list) => list.iter_mut().find_map(|item| around(item, id)),
        Value::Object(fields) => fields.values_mut().find_map(|field| around(field, id)),
        _ => None,
    }
}

/// The field, which is made if it is not there.
fn made<'a>(entry: &'a mut Value, pointer: &str) -> Option<&'a mut Value> {
    let mut at = entry;
    for name in pointer.split('/').skip(1) {
        at = match at {
            Value::Array(list) => list.get_mut(name.parse::<usize>().ok()?)?,
            Value::Object(fields) => fields.entry(name).or_insert(Value::Null),
            _ => return None,
        };
    }
    Some(at)
}

/// Changes the list that has the entry.
fn list(answer: &mut Value, id: &str, change: &dyn Fn(&mut Vec<Value>, usize)) {
    match answer {
        Value::Array(items) => match items.iter().position(|item| is(item, id)) {
            Some(at) => change(items, at),
            None => items.iter_mut().for_each(|item| list(item, id, change)),
        },
        Value::Object(fields) => fields.values_mut().for_each(|field| list(field, id, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_entry_of_an_answer_is_odd() {
        let check = |odd, expected: &str| {
            let mut hostile = Hostile::default();
            hostile.arm(row("list", odd, Costs::Entry), "b");
            let mut answer = json!({"all": [{"txid": "a"}, {"txid": "b", "n": {"x": 1}}]});
            hostile.edit("other", &mut answer);
            hostile.edit("list", &mut answer);
            assert_eq!(hostile.text("list", answer["all"].to_string()), expected, "{odd:?}");
        };
        check(Odd::Upper("/txid"), r#"[{"txid":"a"},{"txid":"B","n":{"x":1}}]"#);
        check(Odd::Beside("/all", "[]"), "[]");
        check(Odd::Is("/n/x", "1e999"), r#"[{"txid":"a"},{"txid":"b","n":{"x":1e999}}]"#);
        check(Odd::Is("/n/y", "null"), r#"[{"txid":"a"},{"txid":"b","n":{"x":1,"y":null}}]"#);
        check(Odd::Is("", "7"), r#"[{"txid":"a"},7]"#);
        check(Odd::Head("/all/0", "{}"), r#"[{},{"txid":"b","n":{"x":1}}]"#);
        check(Odd::Lacks("/n/x"), r#"[{"txid":"a"},{"txid":"b","n":{}}]"#);
        check(
            Odd::TwiceBut("/n/x", "2"),
            r#"[{"txid":"a"},{"txid":"b","n":{"x":1}},{"txid":"b","n":{"x":2}}]"#,
        );
        check(Odd::LeftOut, r#"[{"txid":"a"}]"#);
        check(Odd::Reversed, r#"[{"txid":"b","n":{"x":1}},{"txid":"a"}]"#);
        check(Odd::PageOf(1), r#"[{"txid":"a"},{"txid":"b","n":{"x":1}}]"#);
    }
}
