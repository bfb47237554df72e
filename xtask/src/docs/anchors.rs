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
