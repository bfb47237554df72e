//! DOM changes of an idle page, and state that the payer set in it.

use std::time::Duration;

use serde_json::json;

use crate::support::gateway::order;
use crate::support::page::Page;
use crate::support::stage::journey;

/// Counts the page's DOM changes by part.
const OBSERVE: &str = "
    window.changes = {};
    const part = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('[data-part]')?.dataset.part ?? 'page';
    new MutationObserver((records) => {
        for (const { target } of records) window.changes[part(target)] = (window.changes[part(target)] ?? 0) + 1;
    }).observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    document.querySelector('details').open = true;
    document.querySelector('[data-part=copy-address]').focus();
    getSelection().selectAllChildren(document.querySelector('[data-part=amount]'));
    window.changes = {};";

#[test]
fn an_idle_second_changes_the_countdown_and_nothing_else() {
    journey(async |stage| {
        stage.open_and_choose(&order(), "BTC", "BTC").await;
        is_idle(stage.page()).await;
    });
}

/// A page that asks for BTC.
pub(crate) async fn is_idle(page: Page<'_>) {
    let browser = page.browser;
    // Waits until the announcement of the new screen has ended.
    tokio::time::sleep(Duration::from_secs(8)).await;
    browser.run(OBSERVE, vec![]).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let changes = browser.run("return window.changes", vec![]).await;
    let changes = changes.as_object().expect("an object").clone();
    let ticks = changes.get("countdown").and_then(serde_json::Value::as_u64).unwrap_or_default();
    // One text and one `data-value` per second; an opened `details` changes an attribute, too.
    assert!((8..=12).contains(&ticks), "{changes:?}");
    let others: Vec<_> = changes.iter().filter(|(part, _)| *part != "countdown").collect();
    assert!(others.iter().all(|(part, count)| *part == "page" && **count == json!(1)), "{changes:?}");
    let held = "return [document.querySelector('details').open, document.activeElement.dataset.part, String(getSelection())]";
    let amount = page.until_screen("pay").await.value("amount").expect("an amount").to_owned();
    assert_eq!(browser.run(held, vec![]).await, json!([true, "copy-address", amount]));
}
