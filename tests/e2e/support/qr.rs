//! Scans a QR code from the pixels on the screen.

use std::time::Instant;

use checkout_test_support::patience;

use super::browser::Browser;
use super::engine::Engine;
use super::screenshot::whole_page;
use super::wait::LOOK;

/// A code found in a screenshot.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) text: String,
    /// The lightness, 0 to 255, of the darkest pixel in the four modules around the code.
    pub(crate) darkest_around: u8,
}

/// The one QR code on the screen. WebKitGTK's driver may picture the page before it is painted: there it is scanned until
/// it is what the page says.
pub(crate) async fn scan(browser: &Browser, said: Option<&str>) -> Code {
    let deadline = Instant::now() + patience();
    loop {
        let png = whole_page(browser).await;
        let is_early = browser.engine == Engine::WebKit && text(&Picture::decode(&png)).as_deref() != said;
        if !is_early || Instant::now() > deadline {
            return read(&png);
        }
        tokio::time::sleep(LOOK).await;
    }
}

fn text(picture: &Picture) -> Option<String> {
    let (width, height) = (picture.width, picture.height);
    let mut prepared = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| picture.at(x, y));
    Some(prepared.detect_grids().first()?.decode().ok()?.1)
}

/// The one QR code of a PNG.
pub(crate) fn read(png: &[u8]) -> Code {
    let picture = Picture::decode(png);
    let mut prepared =
        rqrr::PreparedImage::prepare_from_greyscale(picture.width, picture.height, |x, y| picture.at(x, y));
    let grids = prepared.detect_grids();
    let [grid] = grids.as_slice() else {
        panic!("{} QR codes in a picture of {}×{}", grids.len(), picture.width, picture.height)
    };
    let (meta, text) = grid.decode().expect("a code that is found can be read");
    let modules = i32::try_from(meta.version.to_size()).expect("at most 177");
    let (start, beyond) = (&grid.bounds[0], &grid.bounds[2]);
    // The library's bounds are one module too large at the right and the bottom.
    let side = (beyond.x - start.x) * modules / (modules + 1);
    let (left, top) = (start.x, start.y);
    let (right, bottom) = (left + side, top + side);
    // Half a module less than four: the bounds are an estimate.
    let zone = side * 7 / (2 * modules);
    let mut darkest_around = u8::MAX;
    for y in top - zone..=bottom + zone {
        for x in left - zone..=right + zone {
            let inside = (left - 2..=right + 2).contains(&x) && (top - 2..=bottom + 2).contains(&y);
            if !inside {
                darkest_around = darkest_around.min(picture.at_signed(x, y));
            }
        }
    }
    Code { text, darkest_around }
}

struct Picture {
    width: usize,
    height: usize,
    grey: Vec<u8>,
}

impl Picture {
    fn decode(bytes: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("the browser writes PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a screenshot fits into memory")];
        let frame = reader.next_frame(&mut pixels).expect("the picture is whole");
        let samples = frame.color_type.samples();
        let colours = if samples < 3 { 1 } else { 3 };
        let grey = pixels[..frame.buffer_size()].chunks_exact(samples).map(|pixel| {
            let sum: u32 = pixel[..colours].iter().map(|&sample| u32::from(sample)).sum();
            u8::try_from(sum / u32::try_from(colours).expect("1 or 3")).expect("a mean of bytes is a byte")
        });
        Self { width: frame.width as usize, height: frame.height as usize, grey: grey.collect() }
    }

    fn at(&self, x: usize, y: usize) -> u8 {
        self.grey[y * self.width + x]
    }

    /// Black outside: a cropped quiet zone does not count.
    fn at_signed(&self, x: i32, y: i32) -> u8 {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => self.at(x, y),
            _ => 0,
        }
    }
}
