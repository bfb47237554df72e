//! Writes the header beside the crate: `include/crypto_checkout.h`.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=src/lib.rs");
    println!("cargo:rerun-if-changed=cbindgen.toml");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcrypto_checkout.so");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml is right");
    let bindings =
        cbindgen::Builder::new().with_src(folder.join("src/lib.rs")).with_config(config).generate();
    bindings.expect("the interface is C").write_to_file(folder.join("include/crypto_checkout.h"));
}
