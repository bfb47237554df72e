//! Templates: texts with placeholders such as `{amount}`.

/// A part of a template: text, or the name of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    Fact(&'a str),
}

/// The parts of a template, in order.
pub fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = template;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(inner) = rest.strip_prefix('{')
            && let Some((name, after)) = inner.split_once('}')
        {
            rest = after;
            return Some(Piece::Fact(name));
        }
        // A brace that opens no placeholder is text.
        let end =
            rest.char_indices().skip(1).find(|(_, letter)| *letter == '{').map_or(rest.len(), |(at, _)| at);
        let (text, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(Piece::Text(text))
    })
}

/// Fills the placeholders of a template. A placeholder without a value becomes empty. A right-to-left value
/// is isolated (U+2068 to U+2069), so that it does not reorder the sentence.
pub fn fill(template: &str, facts: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    for piece in pieces(template) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Fact(name) => {
                let value = facts.iter().find(|fact| fact.0 == name).map_or("", |fact| fact.1);
                let isolate = value.chars().any(runs_from_right_to_left);
                filled.push_str(if isolate { "\u{2068}" } else { "" });
                filled.push_str(value);
                filled.push_str(if isolate { "\u{2069}" } else { "" });
            }
        }
    }
    filled
}

/// The blocks of right-to-left scripts, and the characters that change the direction.
fn runs_from_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{202a}'..='\u{202e}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let facts = [("asset", "USDT"), ("network", "TRON (TRC-20)")];
        let check = |template, expected: &str| assert_eq!(fill(template, &facts), expected);
        check("Send only {asset} on {network}", "Send only USDT on TRON (TRC-20)");
        check("{network}で{asset}のみ", "TRON (TRC-20)でUSDTのみ");
        check("≈ {asset}", "≈ USDT");
        check("{unknown}", "");
        check("{", "{");
        check("a{b", "a{b");
        check("", "");
        assert_eq!(fill("Pay {merchant}.", &[("merchant", "קומקום")]), "Pay \u{2068}קומקום\u{2069}.");
        let text = "Send {asset}.";
        assert_eq!(
            pieces(text).collect::<Vec<_>>(),
            [Piece::Text("Send "), Piece::Fact("asset"), Piece::Text(".")]
        );
    }
}
