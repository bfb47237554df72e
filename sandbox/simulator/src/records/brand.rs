//! The brand in the body of `POST /sandbox/business`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_domain::business::brand_color::{BrandColor, NotAColor};
use checkout_domain::business::logo::Logo;
use checkout_gateway::requests::fields::Fields;

/// An empty text removes the colour.
#[expect(clippy::option_option, reason = "missing, removed, or set")]
pub(super) fn read_color(fields: &mut Fields) -> Option<Option<BrandColor>> {
    let text = fields.text("brandColor")?;
    if text.is_empty() {
        return Some(None);
    }
    let color = text.parse().ok();
    if color.is_none() {
        fields.error("brandColor", NotAColor::CODE, NotAColor::DETAIL);
    }
    color.map(Some)
}

/// An image in base64. An empty text removes the logo.
#[expect(clippy::option_option, reason = "missing, removed, or set")]
pub(super) fn read_logo(fields: &mut Fields) -> Option<Option<Logo>> {
    let text = fields.any_text("logo")?;
    if text.is_empty() {
        return Some(None);
    }
    let Ok(bytes) = STANDARD.decode(text) else {
        fields.error("logo", "bad_base64", "must be an image in base64");
        return None;
    };
    match Logo::read(bytes) {
        Ok(logo) => Some(Some(logo)),
        Err(fault) => {
            fields.error("logo", fault.code(), fault.detail());
            None
        }
    }
}
