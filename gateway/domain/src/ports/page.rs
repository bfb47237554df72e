//! The hosted page, rendered on the server.

use checkout_core::wire::checkout_view::CheckoutView;

/// A request for the page.
#[derive(Clone, Debug)]
pub struct PageRequest {
    pub path: String,
    /// With its `?`, or empty.
    pub query: String,
    /// The page is in a frame of another page.
    pub framed: bool,
    /// `https://host`, at which payers reach the gateway.
    pub origin: String,
    pub found: PageLookup,
    /// UNIX milliseconds.
    pub now: u64,
}

/// The result of the lookup by URL and token.
#[derive(Clone, Debug)]
pub enum PageLookup {
    View(Box<CheckoutView>),
    /// The payment does not exist, or the token gives no access to it.
    Nothing,
    /// The store is not available.
    Unavailable,
}

/// The parts of the page that depend on the payment. `main` and `data` are markup; the others are text.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub lang: String,
    /// `ltr` or `rtl`.
    pub dir: String,
    pub theme: String,
    pub title: String,
    pub main: String,
    /// JSON with every `<` escaped.
    pub data: String,
}

pub trait PageRenderer: Send + Sync {
    fn draw(&self, request: PageRequest) -> Drawing;
}
