//! The style of the page, for a shadow root of a merchant's page.

use crate::Outcome;

/// What stands for the page's own elements, and for the width of its window, in the minified style.
const IN_A_SHADOW_ROOT: [(&str, &str); 6] = [
    (":root", ".page"),
    ("html", ".page"),
    ("}body", "}.body"),
    ("@media screen and (min-width:", "@container (min-width:"),
    ("@media(min-width:", "@container (min-width:"),
    ("@media(max-width:", "@container (max-width:"),
];

/// Nothing is inherited but custom properties; the size of the font is the one that the visitor has chosen.
const HOST: &str = ":host{all:initial;display:block;container-type:inline-size}";

/// Fails if something of the page's own elements or window is left.
pub(super) fn style(minified: &str) -> Outcome<String> {
    let style =
        IN_A_SHADOW_ROOT.iter().fold(minified.to_owned(), |style, (old, new)| style.replace(old, new));
    let (mut scaled, mut parts) = (String::with_capacity(style.len()), style.split("rem").peekable());
    while let Some(part) = parts.next() {
        let before = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let size = &part[before.len()..];
        scaled += before;
        scaled += &match parts.peek() {
            None => size.to_owned(),
            Some(_) if size.is_empty() => "rem".to_owned(),
            Some(_) => format!("calc({size}*var(--rem))"),
        };
    }
    let foreign =
        [":root", "html", "}body", "(width", "vw"].iter().find(|foreign| scaled.contains(**foreign));
    foreign.map_or_else(
        || Ok([HOST, &scaled].concat()),
        |foreign| Err(format!("the style of the kit has `{foreign}`, which a shadow root does not have.")),
    )
}

#[cfg(test)]
mod tests {
    use super::style;

    #[test]
    fn the_page_is_an_element() {
        let check = |minified: &str, expected: &str| {
            assert_eq!(style(minified).expect("a style"), [super::HOST, expected].concat());
        };
        check(":root[data-theme=DARK]{color:red}html{x:y}", ".page[data-theme=DARK]{color:red}.page{x:y}");
        check("a{b:c}body,h1{margin:0}.tag-step-body{d:e}", "a{b:c}.body,h1{margin:0}.tag-step-body{d:e}");
        check(
            "a{font:600 1.25rem/1.2 b;width:2rem}",
            "a{font:600 calc(1.25*var(--rem))/1.2 b;width:calc(2*var(--rem))}",
        );
        check("@media(min-width:45em){a{b:c}}", "@container (min-width:45em){a{b:c}}");
        check("@media(pointer:coarse){a{b:c}}", "@media(pointer:coarse){a{b:c}}");
        assert!(style("a{width:50vw}").is_err());
    }
}
