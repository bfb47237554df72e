//! Rules for texts: any Unicode except control characters and bidirectional overrides. The same for both
//! stores; PostgreSQL cannot store NUL.

pub mod amount;
pub mod html;
pub mod mail_address;
pub mod origin;
pub mod public_address;

use std::fmt::Write as _;

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFault {
    Control,
    Direction,
}

impl TextFault {
    pub fn code(self) -> &'static str {
        match self {
            Self::Control => "control_character",
            Self::Direction => "bidirectional_override",
        }
    }

    pub fn detail(self) -> &'static str {
        match self {
            Self::Control => "must not contain control characters",
            Self::Direction => "must not contain characters that override the direction of text",
        }
    }

    fn of(char: char) -> Option<Self> {
        match char {
            // Line and paragraph separators break lines like control characters.
            '\u{2028}' | '\u{2029}' => Some(Self::Control),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Self::Direction),
            char if char.is_control() => Some(Self::Control),
            _ => None,
        }
    }
}

pub fn check(text: &str) -> Result<(), TextFault> {
    text.chars().find_map(TextFault::of).map_or(Ok(()), Err)
}

/// Whether the text has no visible character: it is empty, or has only blanks and zero-width characters.
pub fn is_blank(text: &str) -> bool {
    let invisible = |char: char| {
        matches!(char, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
            || matches!(char, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}')
            || matches!(char, '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}')
            || matches!(char, '\u{e0000}'..='\u{e0fff}')
    };
    text.chars().all(|char| char.is_whitespace() || invisible(char))
}

/// A text from a chain, to which these rules do not apply: characters refused by [`check`] are written as
/// `\u{0}`.
pub fn escape(text: String) -> String {
    if check(&text).is_ok() {
        return text;
    }
    text.chars().fold(String::with_capacity(text.len() + 8), |mut escaped, char| {
        match TextFault::of(char) {
            Some(_) => write!(escaped, "\\u{{{:x}}}", u32::from(char)).expect("a String takes every text"),
            None => escaped.push(char),
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let check = |text: &str, fault: Option<TextFault>, blank: bool, escaped: &str| {
            assert_eq!(check(text).err(), fault, "{text:?}");
            assert_eq!(is_blank(text), blank, "{text:?}");
            assert_eq!(escape(text.to_owned()), escaped, "{text:?}");
        };
        check("order-1", None, false, "order-1");
        check("Größe 東京 🫖", None, false, "Größe 東京 🫖");
        check("שלום עולם", None, false, "שלום עולם");
        check("👩\u{200d}🍳", None, false, "👩\u{200d}🍳");
        check("C:\\u{0}", None, false, "C:\\u{0}");
        check("", None, true, "");
        check(" \u{a0}\u{3000}", None, true, " \u{a0}\u{3000}");
        check("\u{200b}\u{feff}\u{2060}", None, true, "\u{200b}\u{feff}\u{2060}");
        check("\u{3164}", None, true, "\u{3164}");
        check("a\0b", Some(TextFault::Control), false, "a\\u{0}b");
        check("a\nb", Some(TextFault::Control), false, "a\\u{a}b");
        check("\u{7f}", Some(TextFault::Control), false, "\\u{7f}");
        check("a\u{85}\u{2028}", Some(TextFault::Control), false, "a\\u{85}\\u{2028}");
        check("gpj\u{202e}exe", Some(TextFault::Direction), false, "gpj\\u{202e}exe");
        check("\u{2066}", Some(TextFault::Direction), true, "\\u{2066}");
    }
}
