//! The two kinds of figures of a page: what is copied has a point, as wallets read it, and the type of a code; all others are those of
//! the page's language.

use serde_json::json;

use super::browser::Browser;

/// What has digits on both sides of a mark, of the wrong kind in German. Dates and addresses of machines have two marks.
const WRONG: &str = r"
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const wrong = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const element = node.parentElement;
        if (element.closest('script, style, [data-part=mistake]') || !element.checkVisibility()) continue;
        const isCopied = getComputedStyle(element).fontFamily.includes('mono');
        for (const [figure] of node.data.matchAll(/\d[\d.,\u00a0\u202f]*\d/g)) {
            const isDate = /^\d\d?\.\d\d?\.\d{4}/.test(figure);
            const isGerman = /^\d{1,3}(\.\d{3})*(,\d+)?$/.test(figure);
            const isPlain = /^\d+(\.\d+)?$/.test(figure);
            if (!isDate && !(isCopied ? isPlain : isGerman || /^\d+$/.test(figure))) wrong.push(node.data.trim());
        }
    }
    return wrong";

/// Asserts that a page in German has none of the wrong kind.
pub(crate) async fn check_german(browser: &Browser, name: &str) {
    assert_eq!(browser.run(WRONG, vec![]).await, json!([]), "{name} has figures of the wrong kind");
}
