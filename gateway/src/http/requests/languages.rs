//! The language of a page that a person opens without a payment.

use axum::http::{HeaderMap, header};
use checkout_wire::LOCALES;

/// The language of the page that `asked` names, or else the first one that the browser accepts and the page has.
pub(in crate::http) fn language(asked: Option<&str>, headers: &HeaderMap) -> &'static str {
    let accepted = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|line| line.to_str().ok());
    let accepted = accepted.flat_map(|line| line.split(','));
    let mut accepted: Vec<(&str, f32)> = accepted.filter_map(weighed).collect();
    // Stable: equal ones stay in their order.
    accepted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    asked
        .and_then(|asked| LOCALES.into_iter().find(|locale| *locale == asked))
        .or_else(|| accepted.into_iter().find_map(|(tag, _)| nearest(tag)))
        .unwrap_or(LOCALES[0])
}

/// A language and its weight, unless that is zero.
fn weighed(range: &str) -> Option<(&str, f32)> {
    let mut parts = range.split(';').map(str::trim);
    let tag = parts.next().filter(|tag| !tag.is_empty())?;
    let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |text| text.parse().ok());
    weight.filter(|weight| *weight > 0.0).map(|weight| (tag, weight))
}

fn nearest(tag: &str) -> Option<&'static str> {
    let language = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
    LOCALES.into_iter().find(|locale| language(locale) == language(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_the_browser_prefers() {
        for (asked, accepted, expected) in [
            (None, None, "en-US"),
            (None, Some("de"), "de-DE"),
            (None, Some("de-AT,en;q=0.5"), "de-DE"),
            (None, Some("en;q=0.5, fr;q=0.9"), "fr-FR"),
            (None, Some("nl, pt-BR;q=0.8"), "pt-PT"),
            (None, Some("de;q=0, ja"), "ja-JP"),
            (None, Some("nl"), "en-US"),
            (None, Some("*"), "en-US"),
            (None, Some("de;q=x"), "en-US"),
            (Some("tr-TR"), Some("de"), "tr-TR"),
            (Some("xx"), Some("de"), "de-DE"),
        ] {
            let mut headers = HeaderMap::new();
            headers.extend(accepted.map(|text| (header::ACCEPT_LANGUAGE, text.parse().unwrap())));
            assert_eq!(language(asked, &headers), expected, "{asked:?} {accepted:?}");
        }
    }
}
