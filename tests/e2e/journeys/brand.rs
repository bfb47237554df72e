//! A merchant's logo and colour on the page.

use serde_json::json;

use crate::support::gateway::order;
use crate::support::logo;
use crate::support::stage::journey;

/// The logo's size on the page and its own, where the name begins beside it or, on a desktop, below it, and two of the page's
/// colours.
const BRAND: &str = "const done = arguments[arguments.length - 1];
    const order = document.querySelector('.order'), logo = getComputedStyle(order, '::before');
    const color = (name) => getComputedStyle(document.documentElement).getPropertyValue('--checkout-' + name).trim();
    const image = new Image();
    image.src = logo.backgroundImage.slice(5, -2);
    const from = order.getBoundingClientRect(), name = order.querySelector('.order-merchant').getBoundingClientRect();
    const place = matchMedia('(min-width: 62em)').matches ? { below: name.top - from.top } : { beside: name.left - from.left };
    image.decode().then(() => done([
        new URL(image.src).origin === location.origin, logo.width, logo.height, image.naturalWidth, image.naturalHeight,
        place, color('accent-fill'), color('on-accent'),
    ]), (error) => done(String(error)));";

#[test]
fn the_logo_stands_beside_the_name_and_the_page_has_the_colour() {
    journey(async |stage| {
        let (_folder, file) = logo::file();
        let file = file.to_str().expect("a temporary path is text");
        stage.gateway.become_business(&["--logo", file, "--brand-color", "#FFD400"]);
        stage.open(&order()).await;
        stage.page().choose("BTC", "BTC").await;
        // The journey also fails if the page violates its own policy.
        let brand = stage.browser.client.execute_async(BRAND, vec![]).await.expect("the page has a logo");
        let with = |place| json!([true, "96px", "32px", 240, 80, place, "#ffd400", "#000000"]);
        let places = [json!({"beside": 104 + 16}), json!({"below": 16 + 40 + 4})];
        assert!(places.map(with).contains(&brand), "{brand}");
    });
}
