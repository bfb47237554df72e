//! Writes the header beside the crate: `include/crypto_checkout.h`.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=src/lib.rs");
    println!("cargo:rerun-if-changed=cbindgen.toml");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml is right");
    let bindings =
        cbindgen::Builder::new().with_src(folder.join("src/lib.rs")).with_config(config).generate();
    bindings.expect("the interface is C").write_to_file(folder.join("include/crypto_checkout.h"));
}
