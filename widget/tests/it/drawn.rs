//! The page that the tests in the browser take over: `widget/tests/drawn/`, as the server draws it.
//! `CHECKOUT_BLESS=1 cargo test -p checkout-widget drawn` writes it.

use std::path::Path;

use checkout_widget::page_data::Found;
use checkout_widget::page_url::PageUrl;
use checkout_widget::render::draw;
use checkout_wire::checkout_view::CheckoutView;

use crate::payments::{START, pending, view};
use crate::player::page_url;

#[test]
fn the_page_for_the_browser_is_what_the_server_draws() {
    let view = CheckoutView { version: 7, rate: Some("60386.41".into()), ..view(pending()) };
    let url = PageUrl { secure: false, origin: "http://pay.example".into(), can_share: false, ..page_url() };
    let drawing = draw(url, Found::View(Box::new(view)), true, (START + 30) * 1_000);
    for (name, text) in
        [("pay.html", drawing.main), ("pay.json", drawing.data.expect("the page has its data"))]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drawn").join(name);
        let text = text + "\n";
        if std::env::var_os("CHECKOUT_BLESS").is_some() {
            std::fs::write(&path, &text).expect("the folder is writable");
        }
        let stands = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(stands, text, "CHECKOUT_BLESS=1 writes {name} anew");
    }
}
