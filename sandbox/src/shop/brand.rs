//! How the shop appears on the checkout.

use checkout_domain::business::brand_color::BrandColor;
use checkout_domain::business::logo::Logo;
use checkout_domain::business::settings::Settings;

/// `--accent` of `www/shop/shop.css`.
const COLOR: &str = "#2f5d50";

const LOGO: &[u8] = include_bytes!("../../../www/shop/logo.png");

/// Name, colour and logo of the shop's business.
pub fn brand() -> Settings {
    Settings {
        name: Some("Kettle & Co".to_owned()),
        brand_color: Some(Some(COLOR.parse::<BrandColor>().expect("a colour"))),
        logo: Some(Some(Logo::read(LOGO.to_vec()).expect("a small image"))),
        ..Settings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkout_has_the_colour_of_the_shop() {
        assert!(include_str!("../../../www/shop/shop.css").contains(&format!("--accent: {COLOR};")));
        assert!(brand().logo.is_some());
    }
}
