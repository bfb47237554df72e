//! The logo of a merchant: a small PNG, WebP or JPEG. SVG is refused, because it can contain scripts.

mod whole;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use imagesize::{ImageType, blob_size, image_type};
use sha2::{Digest as _, Sha256};

/// In bytes. The page has to load it beside the checkout itself.
pub const MAX_BYTES: usize = 32 * 1024;

/// Of a side, in pixels.
const SIDES: std::ops::RangeInclusive<usize> = 32..=1024;

/// The page has room for a logo that is at most this many times as wide as it is high, and
/// [`TALLEST`] times as high as it is wide.
const WIDEST: usize = 6;
const TALLEST: usize = 2;

/// In characters: the digest, and sides of four digits.
const MAX_NAME: usize = 43 + "-1024x1024".len();

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    /// Its name below `/logos/`: the SHA-256 of the image, its size in pixels, and the format, as in
    /// `…-240x80.png`. A changed logo has another name.
    pub file: String,
    pub bytes: Vec<u8>,
}

/// Why an image is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogoFault {
    Format,
    TooLarge,
    Dimensions {
        width: usize,
        height: usize,
    },
    Animated,
    /// The end is missing.
    Truncated,
}

impl LogoFault {
    pub fn code(self) -> &'static str {
        match self {
            Self::Format | Self::Truncated => "bad_image",
            Self::TooLarge => "image_too_large",
            Self::Dimensions { .. } => "image_dimensions",
            Self::Animated => "image_animated",
        }
    }

    pub fn detail(self) -> String {
        match self {
            Self::Format => "must be a PNG, WebP or JPEG image; SVG is not accepted".to_owned(),
            Self::TooLarge => format!("must have at most {MAX_BYTES} bytes"),
            Self::Dimensions { width, height } => format!(
                "has {width} × {height} pixels: each side must have {} to {}, the width at most {WIDEST} times the height, \
                 the height at most {TALLEST} times the width",
                SIDES.start(),
                SIDES.end()
            ),
            Self::Animated => "must not be animated".to_owned(),
            Self::Truncated => "is not complete: the end of the image is missing".to_owned(),
        }
    }
}

impl Logo {
    /// Identifies the format by the signature of the file, not by its name.
    pub fn read(bytes: Vec<u8>) -> Result<Self, LogoFault> {
        if bytes.len() > MAX_BYTES {
            return Err(LogoFault::TooLarge);
        }
        let kind = image_type(&bytes).map_err(|_| LogoFault::Format)?;
        let (format, is_animated, is_whole) = match kind {
            ImageType::Png => ("png", is_animated_png(&bytes), whole::png(&bytes)),
            ImageType::Webp => ("webp", is_animated_webp(&bytes), whole::webp(&bytes)),
            ImageType::Jpeg => ("jpg", false, whole::jpeg(&bytes)),
            _ => return Err(LogoFault::Format),
        };
        let size = blob_size(&bytes).map_err(|_| LogoFault::Format)?;
        let (width, height) = (size.width, size.height);
        let fits = SIDES.contains(&width)
            && SIDES.contains(&height)
            && width <= WIDEST * height
            && height <= TALLEST * width;
        if !fits {
            return Err(LogoFault::Dimensions { width, height });
        }
        if is_animated {
            return Err(LogoFault::Animated);
        }
        if !is_whole {
            return Err(LogoFault::Truncated);
        }
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&bytes));
        Ok(Self { file: format!("{digest}-{width}x{height}.{format}"), bytes })
    }

    /// The media type of a file of this name; `None` for a name that no logo has.
    pub fn media_type(file: &str) -> Option<&'static str> {
        let (name, format) = file.split_once('.')?;
        let is_name = name.len() <= MAX_NAME
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        match format {
            _ if !is_name => None,
            "png" => Some("image/png"),
            "webp" => Some("image/webp"),
            "jpg" => Some("image/jpeg"),
            _ => None,
        }
    }

    /// Width and height in the name of a file.
    pub fn size(file: &str) -> Option<(u32, u32)> {
        let (name, _) = file.split_once('.')?;
        let (_, size) = name.rsplit_once('-')?;
        let (width, height) = size.split_once('x')?;
        Some((width.parse().ok()?, height.parse().ok()?))
    }

    /// The path on the gateway.
    pub fn path(file: &str) -> String {
        format!("/logos/{file}")
    }
}

/// Whether a chunk `acTL` precedes the image (PNG, section 11.3.6.1).
fn is_animated_png(bytes: &[u8]) -> bool {
    bytes.windows(4).take_while(|name| name != b"IDAT").any(|name| name == b"acTL")
}

/// Whether the animation flag of the extended header is set (RFC 9649, section 2.7).
fn is_animated_webp(bytes: &[u8]) -> bool {
    bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & 0b10 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG of this size with an empty `IDAT`, and with chunks of these names before it.
    fn png(width: u32, height: u32, chunks: &[&[u8; 4]]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
        bytes.extend(b"\x08\x06\0\0\0CRC.");
        for name in chunks.iter().copied().chain([b"IDAT", b"IEND"]) {
            bytes.extend([[0; 4], *name, *b"CRC."].concat());
        }
        bytes
    }

    /// A lossy WebP with an extended header.
    fn webp(width: u32, height: u32, flags: u8) -> Vec<u8> {
        let side = |pixels: u32| (pixels - 1).to_le_bytes()[..3].to_vec();
        let header = [b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0", &[flags, 0, 0, 0][..]].concat();
        [header, side(width), side(height), b"VP8 \0\0\0\0".to_vec()].concat()
    }

    /// A JPEG with a frame header, an empty scan and its end.
    fn jpeg(width: u16, height: u16) -> Vec<u8> {
        let frame = [b"\xff\xd8\xff\xe0\0\x04..\xff\xc0\0\x11\x08", &height.to_be_bytes()[..]].concat();
        let components = [&[3][..], &[0; 9]].concat();
        [
            frame,
            width.to_be_bytes().to_vec(),
            components,
            b"\xff\xda\0\x08\x01\x01\0\0\x3f\0..\xff\xd9".to_vec(),
        ]
        .concat()
    }

    #[test]
    fn small_images_of_three_formats_are_accepted() {
        let check = |bytes: Vec<u8>, format: &str, size: (u32, u32)| {
            let logo = Logo::read(bytes.clone()).unwrap();
            assert_eq!(Logo::size(&logo.file), Some(size), "{}", logo.file);
            assert_eq!(Logo::media_type(&logo.file), Some(format), "{}", logo.file);
            assert_eq!(logo.bytes, bytes);
        };
        check(png(32, 32, &[]), "image/png", (32, 32));
        check(png(1024, 171, &[b"gAMA"]), "image/png", (1024, 171));
        check(png(64, 128, &[]), "image/png", (64, 128));
        check(webp(240, 80, 0b1_0000), "image/webp", (240, 80));
        check(jpeg(192, 64), "image/jpeg", (192, 64));
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let check = |bytes: Vec<u8>, code: &str| {
            let fault = Logo::read(bytes).unwrap_err();
            assert_eq!(fault.code(), code, "{}", fault.detail());
        };
        check(Vec::new(), "bad_image");
        check(b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "bad_image");
        check(b"GIF89a\x40\0\x40\0\0\0\0".to_vec(), "bad_image");
        check(png(64, 64, &[])[..20].to_vec(), "bad_image");
        check(b"\x89PNG\r\n\x1a\n<script>".to_vec(), "bad_image");
        check(jpeg(64, 64)[..12].to_vec(), "bad_image");
        for (width, height) in [(31, 64), (64, 31), (1025, 512), (512, 1025), (193, 32), (33, 67), (0, 0)] {
            check(png(width, height, &[]), "image_dimensions");
        }
        check(png(64, 64, &[b"acTL"]), "image_animated");
        check(webp(64, 64, 0b10), "image_animated");
        let padded = |bytes| [png(64, 64, &[]), vec![0; bytes]].concat();
        let room = MAX_BYTES - padded(0).len();
        Logo::read(padded(room)).unwrap();
        check(padded(room + 1), "image_too_large");
    }

    /// As a half upload or a full disk leaves it.
    #[test]
    fn a_truncated_image_is_no_logo() {
        for whole in [png(64, 64, &[b"gAMA"]), webp(64, 64, 0), jpeg(64, 64)] {
            Logo::read(whole.clone()).unwrap();
            for length in 0..whole.len() {
                let fault = Logo::read(whole[..length].to_vec()).unwrap_err();
                assert_eq!(fault.code(), "bad_image", "{length} of {whole:?}");
            }
            Logo::read([whole, b"after the end".to_vec()].concat()).unwrap();
        }
    }

    #[test]
    fn only_names_of_logos_have_a_media_type() {
        let long = "A".repeat(MAX_NAME + 1);
        for name in ["", "logo", "logo.svg", "logo.png.svg", "a\0.png", "../a.png", &format!("{long}.png")] {
            assert_eq!(Logo::media_type(name), None, "{name:?}");
        }
    }
}
