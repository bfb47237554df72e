//! The colour of a merchant's brand. The page derives its accents from it.

use std::fmt;
use std::str::FromStr;

/// An opaque sRGB colour, written `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrandColor {
    /// Red, green, blue.
    pub rgb: [u8; 3],
}

/// The text is not `#` and six hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAColor;

impl NotAColor {
    pub const CODE: &str = "bad_color";
    pub const DETAIL: &str = "must be # and six hexadecimal digits, such as #1f4fd8";
}

impl FromStr for BrandColor {
    type Err = NotAColor;

    fn from_str(text: &str) -> Result<Self, NotAColor> {
        let digits = text.strip_prefix('#').ok_or(NotAColor)?;
        let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex).ok_or(NotAColor)?;
        let [_, rgb @ ..] = number.to_be_bytes();
        Ok(Self { rgb })
    }
}

impl fmt::Display for BrandColor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        let check = |text: &str, expected: Option<&str>| {
            let read = text.parse::<BrandColor>().ok().map(|color| color.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        };
        check("#1f4fd8", Some("#1f4fd8"));
        check("#1F4FD8", Some("#1f4fd8"));
        check("#000000", Some("#000000"));
        check("#ffffff", Some("#ffffff"));
        for text in
            ["", "#", "1f4fd8", "#1f4", "#1f4fd8ff", "#1f4fdg", "#+f4fd8", "# f4fd8", "red", "##1f4fd8"]
        {
            check(text, None);
        }
        check("#1f4fd8;}", None);
        check("rgb(1 2 3)", None);
    }
}
