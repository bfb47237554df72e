//! What callbacks report. An event is a type of its own, in a file of its own, and a line in [`ALL`].

pub mod deposit_received;
pub mod number;
pub mod withdrawal_ended;
pub mod withdrawal_replaced;
pub mod withdrawal_reverted;

use checkout_domain::business::Business;
use checkout_domain::webhook::Kind;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use self::deposit_received::DepositReceived;
use self::withdrawal_ended::WithdrawalEnded;
use self::withdrawal_replaced::WithdrawalReplaced;
use self::withdrawal_reverted::WithdrawalReverted;

/// Every event, in the order of the OpenAPI document.
pub static ALL: [Listed; 4] = [
    Listed::of::<DepositReceived<'static>>(),
    Listed::of::<WithdrawalEnded<'static>>(),
    Listed::of::<WithdrawalReplaced<'static>>(),
    Listed::of::<WithdrawalReverted<'static>>(),
];

/// An event is the body of its callback.
pub trait Event: JsonSchema + Serialize + Send {
    const ABOUT: About;

    /// Where a business wants it.
    fn url(business: &Business) -> Option<&str>;

    /// The body in the OpenAPI document.
    fn example() -> Self;
}

#[derive(Debug)]
pub struct About {
    /// As stored with each callback.
    pub kind: Kind,
    /// Name in the OpenAPI document.
    pub name: &'static str,
    /// Title in the document and in the sandbox's console.
    pub title: &'static str,
    /// When it is sent, for the document.
    pub description: &'static str,
}

/// An event without its type.
#[derive(Debug)]
pub struct Listed {
    pub about: About,
    url: fn(&Business) -> Option<&str>,
    /// The body as a JSON Schema.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    pub example: fn() -> Value,
}

impl Listed {
    const fn of<E: Event>() -> Self {
        Self {
            about: E::ABOUT,
            url: E::url,
            schema: SchemaGenerator::subschema_for::<E>,
            example: example::<E>,
        }
    }
}

fn example<E: Event>() -> Value {
    serde_json::to_value(E::example()).expect("texts and numbers are JSON")
}

fn find(kind: &Kind) -> Option<&'static Listed> {
    ALL.iter().find(|listed| listed.about.kind == *kind)
}

/// Where a business wants callbacks of a kind.
pub fn endpoint<'a>(business: &'a Business, kind: &Kind) -> Option<&'a str> {
    find(kind).and_then(|listed| (listed.url)(business))
}

/// The name of the event in the OpenAPI document; of one of a later release, the word that is stored.
pub fn name(kind: &Kind) -> &str {
    find(kind).map_or(kind.as_str(), |listed| listed.about.name)
}

/// The event in words.
pub fn title(kind: &Kind) -> &'static str {
    find(kind).map_or("Callback", |listed| listed.about.title)
}
