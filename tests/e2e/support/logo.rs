//! A merchant's logo as a file.

use std::path::PathBuf;

use tempfile::TempDir;

const WIDTH: u32 = 240;
const HEIGHT: u32 = 80;

/// A dark disc and three lines on a transparent ground, 240 × 80. The file is removed with the folder.
pub(crate) fn file() -> (TempDir, PathBuf) {
    let folder = TempDir::with_prefix("checkout-logo-").expect("the temporary folder is writable");
    let path = folder.path().join("logo.png");
    std::fs::write(&path, draw()).expect("the temporary folder is writable");
    (folder, path)
}

fn draw() -> Vec<u8> {
    let is_drawn = |x: u32, y: u32| {
        let disc = x.abs_diff(40).pow(2) + y.abs_diff(40).pow(2) <= 36 * 36;
        let lines = (96..WIDTH - 8).contains(&x) && (8..72).contains(&y) && y % 24 >= 8;
        disc || lines
    };
    let pixel = |at: u32| if is_drawn(at % WIDTH, at / WIDTH) { [16, 35, 28, 255] } else { [0; 4] };
    let pixels: Vec<u8> = (0..WIDTH * HEIGHT).flat_map(pixel).collect();
    checkout_test_nodes::png(WIDTH, HEIGHT, png::ColorType::Rgba, &pixels)
}
