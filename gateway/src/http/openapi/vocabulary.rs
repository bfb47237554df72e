//! What the names of parameters mean, once for every place where they stand.

use checkout_core::chain::CHAINS;
use checkout_core::currency::CURRENCIES;
use checkout_core::wire::LOCALES;
use serde_json::{Value, json};

use crate::domain::business::Theme;
use crate::domain::rates::fiat::Fiat;
use checkout_core::wire::{MAX_CLIENT_ID, MAX_LABEL};

use Grammar::{
    Asset, ClientId, Crypto, FiatCode, Flag, Free, Label, Locale, Network, Short, Tag, Theming, Uuid, Whole,
};

/// What a value looks like, beyond its JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    Asset,
    ClientId,
    Crypto,
    FiatCode,
    Flag,
    Free,
    Label,
    Locale,
    Network,
    /// Text that is not empty.
    Short,
    Tag,
    Theming,
    Uuid,
    Whole,
}

/// Name, or `Schema.name` where it means something else there; grammar; meaning.
type Word = (&'static str, Grammar, &'static str);

#[rustfmt::skip]
const WORDS: &[Word] = &[
    ("paymentId", Uuid, "Identifier of the payment."),
    ("businessId", Uuid, "Identifier of the business. Optional with a business token."),
    ("id", Uuid, "Identifier given by the gateway."),
    ("clientAddressId", ClientId, "The merchant's own id of the address; unique per business."),
    ("label", Label, "A group of addresses."),


    ("locale", Locale, "Language of the checkout page."),
    ("theme", Theming, "Look of the checkout page."),

    ("displayCurrency", FiatCode, "Fiat currency in which prices are said."),
    ("withdrawalCurrency", Short, "Code of the cryptocurrency; one that is not known gives `supported: false`."),
    ("currency", Crypto, "Cryptocurrency."),
    ("network", Network, "Network. One that the currency lacks is refused."),
    ("from", Asset, "What is valued."),
    ("to", Asset, "What it is valued in."),


    ("address", Short, "Address on the network."),
    ("destinationTag", Tag, "Destination tag (XRP) or memo (XLM)."),



    ("coin", Free, "A coin, several with commas between them, or `ALL`."),
    ("after", Uuid, "Only what comes after this address in the order of the listing."),
    ("before", Uuid, "Only what comes before this address in the order of the listing."),
    ("descending", Flag, "The newest first (the default)."),
    ("limit", Whole, "Size of the page, from 1 to 100."),
    ("sessionToken", Free, "Moved into the fragment by the page before anything is loaded."),
];

/// The grammar and the meaning of a name in a schema.
pub(super) fn look_up(schema: &str, name: &str) -> Option<(Grammar, &'static str)> {
    let qualified = format!("{schema}.{name}");
    let find = |wanted: &str| WORDS.iter().find(|(known, ..)| *known == wanted);
    find(&qualified).or_else(|| find(name)).map(|(_, grammar, meaning)| (*grammar, *meaning))
}

/// What the grammar adds to a schema of the right type.
pub(super) fn keywords(grammar: Grammar) -> Value {
    let codes = || CURRENCIES.iter().map(|row| row.code);
    match grammar {
        Flag | Free => json!({}),
        Asset => json!({"enum": codes().chain(Fiat::all().map(Fiat::code)).collect::<Vec<_>>()}),
        ClientId => json!({"minLength": 1, "maxLength": MAX_CLIENT_ID, "pattern": CLIENT_ID}),
        Crypto => json!({"enum": codes().collect::<Vec<_>>()}),
        FiatCode => json!({"enum": Fiat::all().map(Fiat::code).collect::<Vec<_>>()}),
        Label => json!({"maxLength": MAX_LABEL, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"}),
        Locale => json!({"enum": LOCALES}),
        Network => json!({"enum": CHAINS.iter().map(|row| row.code()).collect::<Vec<_>>()}),
        Short => json!({"minLength": 1}),
        Tag => json!({"type": ["string", "number"]}),
        Theming => json!({"enum": Theme::WORDS}),
        Uuid => json!({"format": "uuid"}),
        Whole => json!({"minimum": 0}),
    }
}

/// Not blank, and without control characters.
const CLIENT_ID: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Every name, for a test that none is useless.
#[cfg(test)]
pub(in crate::http) fn names() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(name, ..)| *name)
}
