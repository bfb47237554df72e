//! A page used by its keyboard alone.

use fantoccini::key::Key;
use serde_json::json;

use super::browser::Browser;

/// More focus stops than any page has.
const STOPS: usize = 90;

pub(crate) async fn press(browser: &Browser, key: Key) {
    enter(browser, &char::from(key).to_string()).await;
}

/// Types into what has the focus.
pub(crate) async fn enter(browser: &Browser, text: &str) {
    loop {
        let focused = browser.client.active_element().await.expect("something has the focus");
        match focused.send_keys(text).await {
            // The element with the focus was replaced before it got the key.
            Err(error) if error.is_stale_element_reference() => {}
            pressed => return pressed.expect("a key can be pressed"),
        }
    }
}

/// Presses Tab until the part has the focus.
pub(crate) async fn tab_to(browser: &Browser, selector: &str) {
    let script = "return document.activeElement?.matches(arguments[0]) ?? false";
    for _ in 0..STOPS {
        press(browser, Key::Tab).await;
        if browser.run(script, vec![json!(selector)]).await == true {
            return;
        }
    }
    panic!("{selector} cannot be reached with the Tab key");
}
