//! The data from which the server rendered a page. The page contains it as JSON, so that it needs no first
//! request.

use checkout_wire::checkout_view::CheckoutView;
use serde::Serialize;

#[cfg(feature = "ssr")]
use crate::words::Translation;
use crate::words::{Language, Words};

/// The `id` of the `<script type="application/json">` that holds it.
pub const ELEMENT: &str = "checkout-data";

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageData {
    /// When the data was read, in UNIX milliseconds by the gateway's clock.
    pub server_time: u64,
    pub found: Found,
    pub language: LanguageData,
}

/// The result of the server's lookup for the page's URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Found {
    View(Box<CheckoutView>),
    /// The payment does not exist, or the token gives no access to it.
    Nothing,
    /// The gateway could not read the payment.
    Unavailable,
}

/// The language of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LanguageData {
    /// The BCP 47 tag.
    pub tag: String,
    /// In the order of [`Words`].
    pub texts: Vec<String>,
}

impl LanguageData {
    #[cfg(feature = "ssr")]
    /// `receipts`: whether payers can ask for one by e-mail.
    pub fn of(translation: &Translation, receipts: bool) -> Self {
        let mut words = translation.words;
        if !receipts {
            words.help.receipt = "";
        }
        let texts = words.write().into_iter().map(ToOwned::to_owned).collect();
        Self { tag: translation.tag.to_owned(), texts }
    }

    /// The language lives as long as the page. `None` when the texts are those of another version.
    pub fn read(self) -> Option<Language> {
        let words = Words::read(self.texts)?;
        Some(Language { tag: self.tag.leak(), words: Box::leak(Box::new(words)) })
    }
}
