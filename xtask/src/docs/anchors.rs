//! Attributes of the tags of a page.

/// The value of each attribute `name` in the tags of a page, without text between tags.
pub(super) fn values<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    html.split('<')
        .skip(1)
        .filter(|tag| tag.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        .filter_map(move |tag| {
            let (element, mut rest) = tag.split_once(' ')?;
            if element.contains('>') {
                return None;
            }
            loop {
                let (key, after) = rest.split_once("=\"")?;
                let (value, after) = after.split_once('"')?;
                if key.contains('>') {
                    return None;
                }
                if key.trim_start().rsplit(' ').next() == Some(name) {
                    return Some(value);
                }
                rest = after;
            }
        })
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn attributes_are_read_and_text_is_not() {
        let html = "<p>x href=\"no\"</p><a class=\"c\" href=\"a.html\">b</a><code>&lt;a href=\"no\"></code><h2 id=\"i\">";
        assert_eq!(values(html, "href").collect::<Vec<_>>(), ["a.html"]);
        assert_eq!(values(html, "id").collect::<Vec<_>>(), ["i"]);
    }
}
