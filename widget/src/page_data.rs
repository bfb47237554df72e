//! What the server drew a page from; it stands in the page as JSON, so that the page need not ask again.

use checkout_core::wire::checkout_view::CheckoutView;
use serde::{Deserialize, Serialize};

/// The `id` of the `<script type="application/json">` that holds it.
pub const ELEMENT: &str = "checkout-data";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageData {
    /// When it was read, UNIX milliseconds by the gateway's clock.
    pub server_time: u64,
    pub found: Found,
}

/// What the server found at the page's address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Found {
    View(Box<CheckoutView>),
    /// No such payment, or a token that does not open it.
    Nothing,
    /// The gateway could not tell.
    Unavailable,
}
