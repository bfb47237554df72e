//! The shell in a browser, without a gateway, on the page that the server draws. `cargo xtask test --step 'widget in browsers'`
//! runs it in three engines; `tests/it/drawn.rs` writes the page.

mod stage;

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use super::document::page_data;
use crate::page_data::Found;
use stage::{ANNOUNCED, Stage, pause};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_block_of_the_page_is_read() {
    let hostile = "</script><b>Kettle & Leaf";
    let data = stage::DATA.replace("Kettle & Leaf", &hostile.replace('<', "\\u003c"));
    let stage = Stage::drawn_with(&data);
    let given = page_data().expect("the block is JSON");
    let Found::View(view) = given.found else { panic!("the page has a payment") };
    assert_eq!(view.merchant_name, hostile);
    assert_eq!(view.payment.expected_deposit_amount.as_deref(), Some("0.00412345"));
    stage.start();
    assert!(stage.text(".order-merchant").contains(hostile), "{}", stage.text(".order-merchant"));
}

#[wasm_bindgen_test]
fn a_page_without_readable_data_is_left_as_it_is() {
    for data in ["", "{", "{\"serverTime\": 1}"] {
        let stage = Stage::drawn_with(data);
        assert!(super::start().is_err(), "{data}");
        assert_eq!(stage.shape(), stage.drawn, "{data}");
    }
}

#[wasm_bindgen_test]
fn the_first_draw_has_the_servers_markup() {
    let stage = Stage::drawn();
    stage.start();
    assert_eq!(stage.shape(), stage.drawn);
}

#[wasm_bindgen_test]
fn focus_selection_and_opened_details_outlive_the_servers_markup() {
    let stage = Stage::drawn();
    let old = stage.find("[data-part=change-currency]");
    stage.hold("[data-part=change-currency]");
    stage.start();
    assert_ne!(stage.find("[data-part=change-currency]"), old, "the elements are new");
    assert_eq!(stage.held(), (true, "change-currency".to_owned(), "0.00412345".to_owned()));
}

#[wasm_bindgen_test]
async fn an_idle_second_changes_the_countdown_and_nothing_else() {
    let stage = Stage::drawn();
    stage.start();
    pause(ANNOUNCED).await;
    stage.hold("[data-part=copy-address]");
    let observed = stage.observe();
    pause(3_200).await;
    let changes = observed.texts();
    let ticks = changes.iter().filter(|part| *part == "countdown").count();
    // One text and one `data-value` per second.
    assert!((4..=8).contains(&ticks), "{changes:?}");
    assert_eq!(ticks, changes.len(), "{changes:?}");
    assert_eq!(stage.held(), (true, "copy-address".to_owned(), "0.00412345".to_owned()));
}

#[wasm_bindgen_test]
async fn a_click_beside_the_amount_copies_it() {
    let stage = Stage::drawn();
    stage.start();
    let copied = stage.record_clipboard(true);
    stage.click(".fact-row p");
    stage.until_copied("copy-amount").await;
    assert_eq!(copied.texts(), ["0.00412345"]);
    stage.click("[data-part=copy-address]");
    stage.until_copied("copy-address").await;
    assert_eq!(copied.texts()[1..], ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"]);
    assert_eq!(stage.text("[data-part=copy-amount]").trim(), "Copy");
}

/// A frame without permission, or a page without https: the text is selected and copied by the older command.
#[wasm_bindgen_test]
async fn a_clipboard_that_refuses_is_replaced_by_a_selection() {
    let stage = Stage::drawn();
    stage.start();
    let copied = stage.record_clipboard(false);
    stage.find("[data-part=copy-amount]").focus().expect("a button takes the focus");
    stage.click("[data-part=copy-amount]");
    stage.until_copied("copy-amount").await;
    assert_eq!(copied.texts(), ["0.00412345"]);
    assert_eq!(stage.held().1, "copy-amount", "the focus is back");
}
