//! The data that the server drew a page from. The page contains it as JSON, so that it needs no first request.

use checkout_core::wire::checkout_view::CheckoutView;
use serde::{Deserialize, Serialize};

/// The `id` of the `<script type="application/json">` that holds it.
pub const ELEMENT: &str = "checkout-data";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageData {
    /// When the data was read, in UNIX milliseconds by the gateway's clock.
    pub server_time: u64,
    pub found: Found,
}

/// What the server found at the page's URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Found {
    View(Box<CheckoutView>),
    /// The payment does not exist, or the token gives no access to it.
    Nothing,
    /// The gateway could not read the payment.
    Unavailable,
}
