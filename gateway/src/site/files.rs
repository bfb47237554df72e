//! The files of the site, and what their names say: type and caching.

#[cfg(not(embedded_site))]
mod folder;

use std::sync::OnceLock;

/// A file of the site in every stored encoding.
pub(super) struct File {
    /// Below the site's root, such as `assets/checkout-0123abcd.wasm`.
    pub(super) path: &'static str,
    pub(super) mime: &'static str,
    pub(super) cache: Cache,
    /// Digest of the identity bytes, for the entity tag.
    pub(super) digest: String,
    pub(super) identity: &'static [u8],
    pub(super) br: Option<&'static [u8]>,
    pub(super) gz: Option<&'static [u8]>,
}

pub(super) enum Cache {
    /// The name contains a hash of the content.
    Immutable,
    /// The name is fixed; clients revalidate after some minutes, by entity tag.
    Short,
    /// Not cached: the page's URL contains a secret.
    NoStore,
}

/// Path, content, and the content in Brotli and gzip.
pub(super) type Row = (&'static str, &'static [u8], Option<&'static [u8]>, Option<&'static [u8]>);

#[cfg(embedded_site)]
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/site.rs"));
}

/// The site; in tests the small one of `fixture`.
pub(super) fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| rows().into_iter().map(File::of).collect())
}

pub(super) fn find(path: &str) -> Option<&'static File> {
    files().iter().find(|file| file.path == path)
}

fn rows() -> Vec<Row> {
    #[cfg(any(test, debug_assertions))]
    if super::fixture::is_used() {
        return super::fixture::ROWS.to_vec();
    }
    #[cfg(embedded_site)]
    return embedded::ROWS.to_vec();
    #[cfg(not(embedded_site))]
    return folder::rows();
}

impl File {
    fn of((path, identity, br, gz): Row) -> Self {
        let (mime, cache) = (mime(path), cache(path));
        Self { path, mime, cache, digest: format!("{:016x}", fnv1a(identity)), identity, br, gz }
    }
}

/// The type of a file, by its ending.
pub fn mime(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "md" => "text/markdown; charset=utf-8",
        "png" => "image/png",
        "webp" => "image/webp",
        "ts" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Names below `assets/` contain a hash of the content.
fn cache(path: &str) -> Cache {
    if path.starts_with("assets/") {
        Cache::Immutable
    } else if ["checkout.html", "claim.html"].contains(&path) {
        Cache::NoStore
    } else {
        Cache::Short
    }
}

/// FNV-1a, 64 bits: distinguishes versions of our own files in an entity tag.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
