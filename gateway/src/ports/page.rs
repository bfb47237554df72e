//! Renders the hosted page on the server.

use checkout_core::wire::checkout_view::CheckoutView;

/// A request for the page.
#[derive(Clone, Debug)]
pub struct PageRequest {
    pub path: String,
    /// Includes the leading `?`, or is empty.
    pub query: String,
    /// The page is embedded in a frame.
    pub framed: bool,
    /// Payers reach the gateway over HTTPS.
    pub secure: bool,
    pub found: Found,
    /// UNIX milliseconds.
    pub now: u64,
}

/// The result of looking up the payment and its token.
#[derive(Clone, Debug)]
pub enum Found {
    View(Box<CheckoutView>),
    /// The payment does not exist, or the token does not grant access to it.
    Nothing,
    /// The store is unavailable.
    Unavailable,
}

/// The parts of the page that depend on the payment. `main` and `data` are markup; the others are text.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub lang: String,
    pub theme: String,
    pub title: String,
    pub main: String,
    /// JSON in which every `<` is escaped.
    pub data: String,
    pub not_live: String,
}

pub trait PageRenderer: Send + Sync {
    fn draw(&self, request: PageRequest) -> Drawing;
}
