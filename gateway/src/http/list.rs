//! Lists: which entries of which business are asked for, and the answer: a page as JSON, or as CSV the page or all of it.

use std::future::Future;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use checkout_domain::access::token::Caller;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::{StoreError, Stored};
use futures::stream::{self, StreamExt as _};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Shared;
use super::problem::Refusal;
use super::resolve_business;
use crate::http::requests::fields::Fields;
use crate::http::requests::{id, page};

pub(super) const CSV: &str = "text/csv; charset=utf-8";

/// Entries that are read at once for CSV.
const AT_ONCE: u32 = 100;

/// An entry of a list.
pub(super) trait ListEntry: Serialize + Send + 'static {
    /// The columns of CSV: names of fields.
    const COLUMNS: &'static [&'static str];

    /// The cursor.
    fn id(&self) -> &str;

    /// Its rows in CSV.
    fn rows(&self) -> Vec<Value> {
        vec![fields(self).into()]
    }
}

/// A merchant's request: which entries of which business.
pub(super) struct ListRequest<F> {
    pub(super) business: BusinessId,
    pub(super) filter: F,
    pub(super) page: Page,
    /// Whether the request sets the size of the page.
    is_limited: bool,
}

impl<F: Clone + Send + 'static> ListRequest<F> {
    /// Reads the query. Its cursors must be ids of entries of the business, by `is_entry`; `entry` is one in words, such as
    /// `a payment`.
    pub(super) async fn read<K: Future<Output = Stored<bool>>>(
        app: &Shared,
        caller: Caller,
        mut fields: Fields,
        filter: impl FnOnce(&mut Fields) -> F,
        entry: &str,
        is_entry: impl Fn(BusinessId, Uuid) -> K,
    ) -> Result<Self, Refusal> {
        let business = resolve_business::find(app, caller, &mut fields).await?;
        let (filter, page) = (filter(&mut fields), page::read(&mut fields));
        let Some(business) = business.filter(|_| fields.is_valid()) else {
            return Err(Refusal::invalid(fields.into_errors()));
        };
        for (name, cursor) in page.cursors() {
            if !is_entry(business.id, cursor).await? {
                fields.error(name, "unknown_cursor", format!("is not the id of {entry} of yours"));
            }
        }
        let fields = fields.valid().map_err(Refusal::invalid)?;
        Ok(Self { business: business.id, filter, page, is_limited: fields.has("limit") })
    }

    pub(super) async fn answer<E, R>(
        self,
        app: Shared,
        headers: &HeaderMap,
        read: impl Fn(Shared, BusinessId, F, Page) -> R + Send + 'static,
    ) -> Result<Response, Refusal>
    where
        E: ListEntry,
        R: Future<Output = Stored<Vec<E>>> + Send,
    {
        let Self { business, filter, page, is_limited } = self;
        let read = move |page| read(Arc::clone(&app), business, filter.clone(), page);
        answer(headers, page, is_limited, read).await
    }
}

/// Answers with the entries that `read` returns for a page. CSV has all of them from there on, unless the request limits
/// the page.
pub(super) async fn answer<E, F>(
    headers: &HeaderMap,
    page: Page,
    is_limited: bool,
    read: impl Fn(Page) -> F + Send + 'static,
) -> Result<Response, Refusal>
where
    E: ListEntry,
    F: Future<Output = Stored<Vec<E>>> + Send,
{
    if !wants_csv(headers) {
        return Ok(Json(read(page).await?).into_response());
    }
    let page = if is_limited { page } else { Page { limit: AT_ONCE, ..page } };
    // A failure of the first page is still a problem with a status.
    let first = read(page).await?;
    let next = if is_limited { None } else { following(page, &first) };
    let head = Ok(text(&first, true));
    let rest = stream::try_unfold((read, next), |(read, page)| async move {
        let Some(page) = page else { return Ok::<_, StoreError>(None) };
        let entries = read(page).await?;
        let next = following(page, &entries);
        Ok(Some((text(&entries, false), (read, next))))
    });
    let content = [(header::CONTENT_TYPE, HeaderValue::from_static(CSV))];
    Ok((content, Body::from_stream(stream::iter([head]).chain(rest))).into_response())
}

/// The page behind these entries. A backward page has none: it ends at its cursor.
fn following<E: ListEntry>(page: Page, entries: &[E]) -> Option<Page> {
    let is_full = u32::try_from(entries.len()).is_ok_and(|count| count == page.limit);
    let last = entries.last().filter(|_| is_full && !page.is_backwards())?;
    Some(Page { after: id::parse(last.id()), ..page })
}

fn wants_csv(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let mut types = lines.flat_map(|line| line.split(',')).filter_map(|range| range.split(';').next());
    types.any(|media_type| media_type.trim().eq_ignore_ascii_case("text/csv"))
}

fn text<E: ListEntry>(entries: &[E], with_header: bool) -> Bytes {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: Vec<String>| {
        writer.write_record(record).expect("memory takes records, which have one length");
    };
    if with_header {
        write(E::COLUMNS.iter().map(|name| (*name).to_owned()).collect());
    }
    for entry in entries {
        for row in entry.rows() {
            write(E::COLUMNS.iter().map(|name| cell(&row[*name])).collect());
        }
    }
    writer.into_inner().expect("memory needs no flush").into()
}

pub(super) fn fields<E: Serialize + ?Sized>(entry: &E) -> Map<String, Value> {
    match serde_json::to_value(entry) {
        Ok(Value::Object(fields)) => fields,
        other => unreachable!("an entry is a JSON object: {other:?}"),
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => plain(text),
        other => other.to_string(),
    }
}

/// A spreadsheet runs a cell with one of these starts as a formula (OWASP, "CSV Injection"). Payers and merchants type texts, so an
/// apostrophe before it keeps it a text. Numbers stay numbers.
fn plain(text: &str) -> String {
    const STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let is_formula = text.starts_with(STARTS) && !is_number(text);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    unsigned.split_once('.').map_or_else(|| digits(unsigned), |(whole, rest)| digits(whole) && digits(rest))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::cell;

    #[test]
    fn no_cell_is_a_formula() {
        for (text, expected) in [
            ("Tea", "Tea"),
            ("=HYPERLINK(\"https://a.example\";\"b\")", "'=HYPERLINK(\"https://a.example\";\"b\")"),
            ("+1", "'+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2+3", "'-2+3"),
            ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("＝1", "'＝1"),
            ("-", "'-"),
            ("-1.", "'-1."),
            ("-12.50", "-12.50"),
            ("0.00041667", "0.00041667"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(cell(&json!(text)), expected, "{text}");
        }
        assert_eq!(cell(&json!(-5)), "-5");
        assert_eq!(cell(&json!({"note": "=1"})), "{\"note\":\"=1\"}");
    }
}
