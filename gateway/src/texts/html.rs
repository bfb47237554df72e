//! Texts in HTML.

use std::borrow::Cow;

/// For an element or an attribute in double quotes.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Cow::Owned(escaped.replace('"', "&quot;"))
}
