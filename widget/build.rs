//! Lists the icons of the page: a file in `www/icons` is all that a new one needs.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let package = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let folder =
        Path::new(&package).parent().expect("the package is a folder of the workspace").join("www/icons");
    println!("cargo::rerun-if-changed={}", folder.display());

    let entries = fs::read_dir(&folder).expect("the icons are part of the repository");
    let mut icons: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    icons.retain(|path| path.extension().is_some_and(|end| end == "svg"));
    icons.sort();
    let arm = |path: &PathBuf| {
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        let path = path.to_str().expect("a path in UTF-8");
        format!("{name:?} => include_str!({path:?}),\n")
    };
    let arms: String = icons.iter().map(arm).collect();
    let code = format!("fn drawing(name: &str) -> &'static str {{ match name {{ {arms} _ => \"\" }} }}");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("icons.rs"), code).expect("OUT_DIR can be written");
}
