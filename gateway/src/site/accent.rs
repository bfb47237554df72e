//! The accents of a brand colour, whatever it is: text on them and in them has a contrast of at least 4.5 : 1
//! (WCAG 2.2, success criterion 1.4.3), which also satisfies 1.4.11 for lines.

/// Red, green, blue (sRGB).
pub(super) type Rgb = [u8; 3];

const BLACK: Rgb = [0; 3];
const WHITE: Rgb = [255; 3];

/// The least contrast of text.
const ENOUGH: f64 = 4.5;

/// A theme's surfaces, as in `www/styles/tokens.css`.
pub(super) struct Theme {
    card: Rgb,
    /// The other surfaces below text and controls.
    others: [Rgb; 5],
    /// The end of the scale to which an accent moves until it can be read.
    ink: Rgb,
    /// The contrast of an accent. On dark it is more, because a black brand would look like disabled controls.
    enough: f64,
    /// How much of the accent is in the background of a control under the pointer, in percent.
    softness: u16,
}

pub(super) const LIGHT: Theme = Theme {
    card: WHITE,
    others: [
        [0xf3, 0xf5, 0xf8],
        [0xf6, 0xf8, 0xfb],
        [0xe5, 0xf5, 0xec],
        [0xff, 0xf4, 0xdc],
        [0xfd, 0xec, 0xea],
    ],
    ink: BLACK,
    enough: ENOUGH,
    softness: 8,
};

pub(super) const DARK: Theme = Theme {
    card: [0x16, 0x1a, 0x21],
    others: [
        [0x0d, 0x10, 0x15],
        [0x1d, 0x22, 0x2b],
        [0x14, 0x30, 0x1f],
        [0x2e, 0x24, 0x10],
        [0x38, 0x18, 0x1a],
    ],
    ink: WHITE,
    enough: 6.0,
    softness: 14,
};

impl Theme {
    /// The background of the page.
    pub(super) fn page(&self) -> Rgb {
        self.others[0]
    }
}

/// The page's accents in one theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accents {
    /// Of text and lines on every surface: the brand colour, darker or lighter if it could not be read.
    pub(super) accent: Rgb,
    /// The background of the main button: the brand colour itself.
    pub(super) fill: Rgb,
    /// The same under the pointer.
    pub(super) strong: Rgb,
    /// The text on both: black or white.
    pub(super) on_fill: Rgb,
    /// The background of another control under the pointer.
    pub(super) soft: Rgb,
}

impl Accents {
    pub(super) fn of(brand: Rgb, theme: &Theme) -> Self {
        let is_readable = |accent: Rgb| {
            let surfaces = [theme.card, theme.soft(accent)].into_iter().chain(theme.others);
            surfaces.into_iter().all(|surface| contrast(accent, surface) >= theme.enough)
        };
        let shades = (0..=100).map(|percent| mix(brand, theme.ink, percent));
        let accent = shades.into_iter().find(|shade| is_readable(*shade)).unwrap_or(theme.ink);
        let on_fill = if contrast(brand, WHITE) >= ENOUGH { WHITE } else { BLACK };
        let away = if on_fill == WHITE { BLACK } else { WHITE };
        let [further, nearer] = [away, on_fill].map(|end| mix(brand, end, 18));
        // Black cannot become darker, nor white lighter.
        let turns = contrast(further, brand) < 1.1 && contrast(nearer, on_fill) >= ENOUGH;
        let strong = if turns { nearer } else { further };
        Self { accent, fill: brand, strong, on_fill, soft: theme.soft(accent) }
    }
}

impl Theme {
    fn soft(&self, accent: Rgb) -> Rgb {
        mix(self.card, accent, self.softness)
    }
}

/// `percent` of `other` in `color`.
fn mix(color: Rgb, other: Rgb, percent: u16) -> Rgb {
    let part = |from: u8, to: u8| (u16::from(from) * (100 - percent) + u16::from(to) * percent + 50) / 100;
    std::array::from_fn(|i| u8::try_from(part(color[i], other[i])).expect("a mean of two bytes is a byte"))
}

/// From 1 to 21 (<https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>).
fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// From 0 to 1 (<https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>).
fn luminance(color: Rgb) -> f64 {
    let [red, green, blue] = color.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENS: &str = include_str!("../../../www/styles/tokens.css");

    fn rgb(text: &str) -> Rgb {
        let text = if text == "#fff" { "#ffffff" } else { text };
        std::array::from_fn(|i| u8::from_str_radix(&text[2 * i + 1..2 * i + 3], 16).unwrap())
    }

    fn text([red, green, blue]: Rgb) -> String {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The token's values: light, then dark twice.
    fn token(name: &str) -> [Rgb; 3] {
        let declared = format!("--checkout-{name}: ");
        let values = TOKENS.split(&declared).skip(1).map(|rest| rgb(rest.split(';').next().unwrap()));
        values.collect::<Vec<_>>().try_into().unwrap()
    }

    #[test]
    fn the_surfaces_are_those_of_the_style_sheet() {
        for (index, theme) in [(0, &LIGHT), (1, &DARK), (2, &DARK)] {
            let others =
                ["page", "raised", "good-soft", "warn-soft", "bad-soft"].map(|name| token(name)[index]);
            assert_eq!((theme.card, theme.others), (token("card")[index], others));
        }
    }

    #[test]
    fn contrast_of_known_pairs() {
        let check = |one: &str, other: &str, expected: &str| {
            assert_eq!(format!("{:.2}", contrast(rgb(one), rgb(other))), expected, "{one} {other}");
        };
        check("#000000", "#ffffff", "21.00");
        check("#ffffff", "#ffffff", "1.00");
        check("#767676", "#ffffff", "4.54");
        check("#777777", "#ffffff", "4.48");
        check("#ffff00", "#ffffff", "1.07");
        check("#ff0000", "#000000", "5.25");
    }

    #[test]
    fn a_brand_colour_is_used_as_it_is_where_it_can_be_read() {
        let check = |brand: &str, light: &str, dark: &str, strong: &str, on_fill: &str| {
            for (theme, accent) in [(&LIGHT, light), (&DARK, dark)] {
                let made = Accents::of(rgb(brand), theme);
                let made = [made.accent, made.fill, made.strong, made.on_fill].map(text);
                assert_eq!(made, [accent, brand, strong, on_fill], "{brand}");
            }
        };
        check("#1f4fd8", "#1f4fd8", "#96aced", "#1941b1", "#ffffff");
        check("#ffffff", "#6b6b6b", "#ffffff", "#d1d1d1", "#000000");
        check("#000000", "#000000", "#b0b0b0", "#2e2e2e", "#ffffff");
        check("#ffff00", "#707000", "#ffff00", "#d1d100", "#000000");
        check("#808080", "#6d6d6d", "#aeaeae", "#979797", "#000000");
        check("#1db954", "#147e39", "#3fc46e", "#46c673", "#000000");
        check("#e60023", "#db0021", "#f48f9e", "#bd001d", "#ffffff");
        check("#ff9900", "#9c5d00", "#ff9900", "#ffab2e", "#000000");
    }

    #[test]
    fn every_colour_can_be_read() {
        let steps = || (0..=255).step_by(15).map(|part| u8::try_from(part).unwrap());
        let muted = token("muted");
        for red in steps() {
            for (green, blue) in steps().flat_map(|green| steps().map(move |blue| (green, blue))) {
                for (theme, muted) in [(&LIGHT, muted[0]), (&DARK, muted[1])] {
                    let brand = [red, green, blue];
                    let Accents { accent, fill, strong, on_fill, soft } = Accents::of(brand, theme);
                    let surfaces = [theme.card, soft].into_iter().chain(theme.others);
                    let texts = surfaces.map(|surface| (accent, surface)).chain([
                        (on_fill, fill),
                        (on_fill, strong),
                        (muted, soft),
                    ]);
                    for (text, ground) in texts {
                        assert!(contrast(text, ground) >= ENOUGH, "{brand:?}: {text:?} on {ground:?}");
                    }
                    assert_ne!(strong, fill, "no change under the pointer");
                }
            }
        }
    }
}
