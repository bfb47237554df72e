//! What proxies do to the pages that they pass on.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewriting {
    /// Inline styles are minified.
    Styles,
    /// Inline styles and scripts are minified.
    Inline,
    /// Scripts run later, by one of the proxy's own, unless they have Cloudflare's attribute against that.
    Deferred,
    /// Inline styles are minified, and no script runs.
    WithoutScripts,
}

const LEFT_ALONE: &str = "<script data-cfasync=\"false\"";

impl Rewriting {
    /// An answer without `Content-Length` ends with its connection.
    pub(super) fn of_answer(self, answer: &[u8]) -> Vec<u8> {
        let answer = String::from_utf8_lossy(answer);
        let (head, page) = answer.split_once("\r\n\r\n").expect("an answer has a head");
        let is_kept = |line: &&str| !line.to_ascii_lowercase().starts_with("content-length:");
        let head: Vec<&str> = head.split("\r\n").filter(is_kept).collect();
        [&head.join("\r\n"), "\r\n\r\n", &self.of_page(page)].concat().into_bytes()
    }

    fn of_page(self, page: &str) -> String {
        let styles = page.replace("<style>", "<style> ");
        match self {
            Self::Styles => styles,
            Self::Inline => styles.replace("\"use strict\";", "'use strict';"),
            Self::Deferred => page
                .replace(LEFT_ALONE, "\0")
                .replace("<script", "<script type=later")
                .replace('\0', LEFT_ALONE),
            Self::WithoutScripts => styles.replace("<script", "<script type=none"),
        }
    }
}
