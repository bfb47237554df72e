//! The icons of `www/icons`, inlined in the page.

use leptos::prelude::*;

// `drawing(name)`: the icon of the file with this name, or nothing.
include!(concat!(env!("OUT_DIR"), "/icons.rs"));

/// An icon in the colour of the text around it.
#[component]
pub fn Sign(name: &'static str) -> impl IntoView {
    let class = match name {
        "spinner" => "sign turning",
        "arrow-left" | "arrow-right" => "sign arrow",
        _ => "sign",
    };
    view! { <span class=class inner_html=drawing(name)></span> }
}

/// The icon of a currency.
#[component]
pub fn Coin(code: &'static str) -> impl IntoView {
    view! { <span class="coin" inner_html=drawing(&code.to_ascii_lowercase())></span> }
}

/// The icon of a network.
#[component]
pub fn NetworkEmblem(code: &'static str) -> impl IntoView {
    let name = ["net-", &code.to_ascii_lowercase()].concat();
    view! { <span class="coin" inner_html=drawing(&name)></span> }
}

#[cfg(test)]
mod tests {
    use super::drawing;
    use checkout_core::chain::CHAINS;
    use checkout_core::currency::EVERY_CURRENCY;

    #[test]
    fn every_currency_and_network_has_an_icon() {
        let check = |name: &str| assert!(drawing(name).starts_with("<svg"), "{name}");
        for row in EVERY_CURRENCY {
            check(&row.code.to_ascii_lowercase());
        }
        for row in CHAINS {
            check(&format!("net-{}", row.code().to_ascii_lowercase()));
        }
    }
}
