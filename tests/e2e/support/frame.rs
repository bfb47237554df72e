//! Frames in a page.

use fantoccini::elements::{Element, ElementRef};
use serde_json::{Value, json};

use super::browser::Browser;
use super::wait::eventually;

const IS_READ: &str = "return location.href !== 'about:blank' && document.readyState !== 'loading'";

/// Directs commands to a frame, given as an expression of the page, as soon as its page is read.
pub(crate) async fn enter(browser: &Browser, frame: &str) {
    let script = format!("return {frame} ?? null");
    eventually("the frame has a page", async || {
        browser.top().await;
        let Ok(found) = browser.client.execute(&script, vec![]).await else { return false };
        let id = found.as_object().and_then(|frame| frame.values().next()).and_then(Value::as_str);
        let Some(id) = id.map(|id| ElementRef::from(id.to_owned())) else { return false };
        let element = Element::from_element_id(browser.client.clone(), id);
        element.enter_frame().await.is_ok()
            && browser.client.execute(IS_READ, vec![]).await.ok() == Some(json!(true))
    })
    .await;
}
