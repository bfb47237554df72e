//! A merchant's brand as a style beside that of the page. The script does not know of it.

use std::fmt::Write as _;

use checkout_domain::business::brand_color::BrandColor;
use checkout_domain::business::logo::Logo;

use super::accent::{Accents, DARK, LIGHT, Rgb};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brand {
    pub(crate) color: Option<Rgb>,
    /// Path, and width and height in pixels.
    pub(crate) logo: Option<(String, (u32, u32))>,
}

impl Brand {
    /// `logo` is the name of a file.
    pub(crate) fn of(color: Option<BrandColor>, logo: Option<&str>) -> Self {
        let logo = logo.and_then(|file| Some((Logo::path(file), Logo::size(file)?)));
        Self { color: color.map(|color| color.rgb), logo }
    }

    /// The logo, if it is square enough for the tab of a browser.
    pub(super) fn icon(&self) -> Option<&str> {
        let fits = |(width, height): (u32, u32)| 2 * width <= 3 * height && 2 * height <= 3 * width;
        self.logo.as_ref().filter(|(_, size)| fits(*size)).map(|(path, _)| path.as_str())
    }

    /// Empty for a merchant without a brand.
    pub(super) fn style(&self) -> String {
        let color = self.color.map(color).unwrap_or_default();
        let logo = self.logo.as_ref().map(|(path, size)| logo(path, *size)).unwrap_or_default();
        color + &logo
    }
}

/// Overrides the accents of `www/styles/tokens.css`, with the same selectors. Every theme prints light.
fn color(brand: Rgb) -> String {
    let (light, dark) = (tokens(Accents::of(brand, &LIGHT)), tokens(Accents::of(brand, &DARK)));
    format!(
        ":root{{{light}}}\
         @media screen and (prefers-color-scheme:dark){{:root:not([data-theme=\"LIGHT\"]){{{dark}}}}}\
         @media screen{{:root[data-theme=\"DARK\"]{{{dark}}}}}"
    )
}

fn tokens(accents: Accents) -> String {
    let Accents { accent, fill, strong, on_fill, soft } = accents;
    let named = [
        ("accent", accent),
        ("accent-fill", fill),
        ("accent-strong", strong),
        ("on-accent", on_fill),
        ("accent-soft", soft),
    ];
    named.into_iter().fold(String::new(), |mut text, (name, [red, green, blue])| {
        let _ = write!(text, "--checkout-{name}:#{red:02x}{green:02x}{blue:02x};");
        text
    })
}

/// Decoration before the name in the header, with its place kept until it is loaded. White below it in every
/// theme: logos are made for paper. On a narrow page the countdown has a line of its own, and above the card where it needs one.
fn logo(path: &str, (width, height): (u32, u32)) -> String {
    format!(
        ".order{{row-gap:4px}}\
         @media(max-width:44.9375em){{.order .countdown{{flex-basis:100%;padding:0;border:0}}}}\
         @media(min-width:45em) and (max-width:61.9375em){{.order{{flex-wrap:wrap}}\
         .order-id{{flex:99 1 9rem;max-width:fit-content}}.order .countdown{{max-width:none;padding:0;border:0}}}}\
         .order::before{{content:\"\";flex:none;height:32px;aspect-ratio:{width}/{height};max-width:8rem;\
         box-sizing:content-box;padding:4px;border-radius:6px;\
         background:#fff url({path}) center/contain no-repeat content-box border-box;\
         print-color-adjust:exact;-webkit-print-color-adjust:exact}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_theme_has_its_accents() {
        let style = Brand { color: Some([0xff, 0xd4, 0x00]), logo: None }.style();
        let accents: Vec<&str> = style.split("--checkout-accent:").skip(1).map(|rest| &rest[..7]).collect();
        assert_eq!(
            accents,
            ["#806a00", "#ffd400", "#ffd400"],
            "light, dark by the device, dark by the payment"
        );
        assert_eq!(style.matches("--checkout-accent-fill:#ffd400;--checkout-accent-strong:").count(), 3);
        assert_eq!(style.matches('{').count(), style.matches('}').count());
        assert!(!style.contains('<') && !style.contains("url("), "{style}");
    }

    #[test]
    fn a_logo_is_an_icon_if_it_is_almost_square() {
        let check = |size, expected: bool| {
            let brand = Brand { color: None, logo: Some(("/logos/a.png".to_owned(), size)) };
            assert_eq!(brand.icon().is_some(), expected, "{size:?}");
        };
        check((64, 64), true);
        check((96, 64), true);
        check((64, 96), true);
        check((97, 64), false);
        check((240, 80), false);
        assert_eq!(Brand::default().icon(), None);
    }

    #[test]
    fn a_logo_keeps_its_place() {
        let style = Brand { color: None, logo: Some(("/logos/a.png".to_owned(), (240, 80))) }.style();
        for part in ["height:32px;aspect-ratio:240/80;", "url(/logos/a.png) "] {
            assert!(style.contains(part), "{part} in {style}");
        }
        assert!(!style.contains("--checkout"), "{style}");
        assert_eq!(Brand::default().style(), "");
    }
}
