//! Compresses every file to `.br` and `.gz`: for a release at the highest levels, compressed once here, served many times.

use std::io::Write;
use std::thread;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Outcome;
use crate::files::Files;
use crate::workspace::Profile;

/// Of Brotli.
pub(crate) const HIGHEST: i32 = 11;

/// Returns the files, each also compressed, with `.br` and `.gz` appended to its name.
pub(crate) fn with_encodings(mut files: Files, profile: Profile) -> Outcome<Files> {
    let (quality, level) = if profile == Profile::Release { (HIGHEST, 9) } else { (5, 4) };
    let encoded = |(name, content): (&String, &Vec<u8>)| {
        let brotli = (format!("{name}.br"), brotli(content, quality)?);
        Ok([brotli, (format!("{name}.gz"), gzip(content, level)?)])
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let parts: Outcome<Vec<Vec<_>>> = thread::scope(|scope| {
        let part = |worker| files.iter().skip(worker).step_by(workers).map(&encoded).collect();
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || part(worker))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no worker panics")).collect()
    });
    files.extend(parts?.into_iter().flatten().flatten());
    Ok(files)
}

pub(crate) fn brotli(content: &[u8], quality: i32) -> Outcome<Vec<u8>> {
    let parameters = BrotliEncoderParams { quality, size_hint: content.len(), ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &content[..], &mut compressed, &parameters)
        .map_err(|error| format!("brotli: {error}."))?;
    Ok(compressed)
}

fn gzip(content: &[u8], level: u32) -> Outcome<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(content).and_then(|()| encoder.finish()).map_err(|error| format!("gzip: {error}."))
}
