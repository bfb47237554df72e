//! Embeds the built site: every file of `target/site` becomes a row of a table of bytes.
//!
//! `CHECKOUT_SITE` selects another folder. Without the folder the table is empty, and the gateway shows how
//! to build it.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CHECKOUT_SITE");
    let site = site_folder();
    println!("cargo::rerun-if-changed={}", site.display());

    let mut files = Vec::new();
    collect(&site, &mut files);
    files.sort();

    let mut table = String::from("pub(super) static FILES: &[super::File] = &[\n");
    for file in files.iter().filter(|file| !is_compressed(file)) {
        write_row(&mut table, &site, file);
    }
    table.push_str("];\n");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("site.rs"), table).expect("OUT_DIR can be written");
}

/// The folder to embed, absolute, so that `include_bytes!` finds its files from anywhere.
fn site_folder() -> PathBuf {
    if let Some(folder) = env::var_os("CHECKOUT_SITE") {
        return fs::canonicalize(&folder).unwrap_or_else(|_| PathBuf::from(folder));
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let site = package.parent().expect("the package is a folder of the workspace").join("target/site");
    // Cargo treats a missing path as changed at every build.
    let _ = fs::create_dir_all(&site);
    site
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn is_compressed(file: &Path) -> bool {
    matches!(extension(file), "br" | "gz")
}

fn extension(file: &Path) -> &str {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn write_row(table: &mut String, site: &Path, file: &Path) {
    let path = file
        .strip_prefix(site)
        .expect("the file was found below the folder")
        .iter()
        .map(|part| part.to_str().expect("names of site files are ASCII"))
        .collect::<Vec<_>>()
        .join("/");
    let bytes = fs::read(file).expect("a file that was just listed can be read");
    let (mime, cache, source) = (mime(file), cache(&path), file.display().to_string());
    writeln!(
        table,
        "    super::File {{ path: {path:?}, mime: {mime:?}, cache: super::Cache::{cache}, digest: {digest:?}, \
         identity: include_bytes!({source:?}), br: {br}, gz: {gz} }},",
        digest = format!("{:016x}", fnv1a(&bytes)),
        br = compressed(file, "br"),
        gz = compressed(file, "gz"),
    )
    .expect("a String takes any text");
}

fn compressed(file: &Path, encoding: &str) -> String {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(encoding);
    let beside = PathBuf::from(name);
    let source = beside.display().to_string();
    if beside.is_file() { format!("Some(include_bytes!({source:?}))") } else { "None".into() }
}

fn mime(file: &Path) -> &'static str {
    match extension(file) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "md" => "text/markdown; charset=utf-8",
        "png" => "image/png",
        "ts" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Names below `assets/` contain a hash of the content.
fn cache(path: &str) -> &'static str {
    if path.starts_with("assets/") {
        "Immutable"
    } else if ["checkout.html", "claim.html", "console.html"].contains(&path) {
        "NoStore"
    } else {
        "Short"
    }
}

/// FNV-1a, 64 bits: distinguishes versions of our own files in an entity tag.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
