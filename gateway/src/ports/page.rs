//! The hosted page, drawn on the server.

use checkout_core::wire::checkout_view::CheckoutView;

/// A request for the page.
#[derive(Clone, Debug)]
pub struct PageRequest {
    pub path: String,
    /// With its `?`, or empty.
    pub query: String,
    /// The page stands in a frame of another page.
    pub framed: bool,
    /// Payers reach the gateway over https.
    pub secure: bool,
    pub found: Found,
    /// UNIX milliseconds.
    pub now: u64,
}

/// What the address and its token lead to.
#[derive(Clone, Debug)]
pub enum Found {
    View(Box<CheckoutView>),
    /// No such payment, or a token that does not open it.
    Nothing,
    /// The store cannot tell now.
    Unavailable,
}

/// The parts of the page that differ from payment to payment. `main` and `data` are markup; the others are text.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub lang: String,
    /// `ltr` or `rtl`.
    pub dir: String,
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
