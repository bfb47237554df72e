//! A release embeds the built site: every file of `target/site` becomes a row of a table of bytes. A debug build reads the folder
//! when it starts, so that a change of a page compiles nothing.
//!
//! `CHECKOUT_TARGET` names another target folder. Without the site there is no file, and the gateway shows how to build it.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CHECKOUT_TARGET");
    println!("cargo::rustc-check-cfg=cfg(embedded_site)");
    let target = target_folder();
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        let site = target.join("site");
        // Cargo treats a missing path as changed at every build.
        let _ = fs::create_dir_all(&site);
        println!("cargo::rustc-cfg=embedded_site");
        println!("cargo::rerun-if-changed={}", site.display());
        write_table(&site);
    } else {
        println!("cargo::rustc-env=CHECKOUT_SITE_FOLDER={}", target.join("site-debug").display());
    }
}

fn write_table(site: &Path) {
    let mut files = Vec::new();
    collect(site, &mut files);
    files.sort();
    let mut table = String::from("pub(super) static ROWS: &[super::Row] = &[\n");
    for file in files.iter().filter(|file| !is_compressed(file)) {
        let name = file.strip_prefix(site).expect("the file was found below the folder");
        let name = name.to_str().expect("names of site files are ASCII").replace('\\', "/");
        let [br, gz] = ["br", "gz"].map(|encoding| compressed(file, encoding));
        writeln!(table, "    ({name:?}, include_bytes!({:?}), {br}, {gz}),", file.display().to_string())
            .expect("a String takes any text");
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("site.rs"), table).expect("OUT_DIR can be written");
}

/// Absolute, so that `include_bytes!` finds its files from anywhere.
fn target_folder() -> PathBuf {
    if let Some(folder) = env::var_os("CHECKOUT_TARGET") {
        return fs::canonicalize(&folder).unwrap_or_else(|_| PathBuf::from(folder));
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    package.parent().expect("the package is a folder of the workspace").join("target")
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
    file.extension().is_some_and(|extension| extension == "br" || extension == "gz")
}

fn compressed(file: &Path, encoding: &str) -> String {
    let beside = file.with_added_extension(encoding);
    let source = beside.display().to_string();
    if beside.is_file() { format!("Some(include_bytes!({source:?}))") } else { "None".into() }
}
