//! The brand of a business: its colour, and its logo from a file.

use std::fs::File;
use std::io::Read as _;

use checkout_domain::business::brand_color::{BrandColor, NotAColor};
use checkout_domain::business::logo::{Logo, MAX_BYTES};

pub(super) fn color(text: &str) -> Result<BrandColor, String> {
    text.parse().map_err(|NotAColor| NotAColor::DETAIL.to_owned())
}

pub(super) fn logo(path: &str) -> Result<Logo, String> {
    let mut bytes = Vec::new();
    // One byte more tells that the file is too large.
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX) + 1;
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| format!("the file cannot be read: {error}"))?;
    Logo::read(bytes).map_err(|fault| format!("the image {}", fault.detail()))
}
