//! PNG files.

use png::{ColorType, Encoder};

/// Eight bits a channel; `pixels` are those of the rows, from the top.
pub fn png(width: u32, height: u32, color: ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    file
}

/// A black picture of this size.
pub fn black_png(width: u32, height: u32) -> Vec<u8> {
    let pixels = usize::try_from(width * height).unwrap();
    png(width, height, ColorType::Grayscale, &vec![0; pixels])
}
