//! Runs axe-core on the page: WCAG A and AA, up to 2.2, and best practices. No rule is excepted.

use serde::Deserialize;
use serde_json::json;

use super::browser::Browser;
use super::places;

/// A violation of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Violation {
    pub(crate) id: String,
    pub(crate) help: String,
    pub(crate) nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Node {
    pub(crate) html: String,
    #[serde(default, rename = "failureSummary")]
    pub(crate) summary: String,
}

const RUN: &str = "const done = arguments[arguments.length - 1];
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
    axe.run(document, {runOnly: tags, resultTypes: ['violations']}).then(
        (found) => done(found.violations.map(({id, help, nodes}) => ({id, help, nodes: nodes.map(
            ({html, failureSummary}) => ({html, failureSummary}))}))),
        (error) => done(String(error)));";

/// All violations on the current page.
pub(crate) async fn violations(browser: &Browser) -> Vec<Violation> {
    if browser.run("return typeof axe === 'undefined'", vec![]).await == json!(true) {
        let axe = std::fs::read_to_string(places::axe()).expect("axe-core is a text");
        // Injected through the debugger, so that the page's policy is unchanged.
        browser.devtools("Runtime.evaluate", json!({"expression": axe})).await;
    }
    let found = browser.client.execute_async(RUN, vec![]).await.expect("axe runs in the page");
    serde_json::from_value(found.clone()).unwrap_or_else(|error| panic!("axe failed ({error}): {found}"))
}

/// Asserts that there is no violation.
pub(crate) async fn check(browser: &Browser, name: &str) {
    let found = violations(browser).await;
    assert!(found.is_empty(), "{name}: {found:#?}");
}
