//! The oldest engines that run the checkout: bundles are written for them, and WebAssembly uses what all of them have.

/// The name in the documentation, esbuild's name, and the first version.
const ENGINES: [(&str, &str, &str); 3] =
    [("Chrome, Edge", "chrome", "96"), ("Firefox", "firefox", "93"), ("Safari", "safari", "15.4")];

/// Of esbuild.
pub(crate) fn target() -> String {
    let engines = ENGINES.map(|(_, engine, version)| [engine, version].concat());
    ["--target=", &engines.join(",")].concat()
}

/// Of wasm-opt: what rustc emits for wasm32, with the first versions of Chrome, Firefox and Safari that have it.
pub(crate) const WASM_FEATURES: [(&str, [f32; 3]); 8] = [
    ("--enable-bulk-memory", [75.0, 79.0, 15.0]),
    ("--enable-bulk-memory-opt", [75.0, 79.0, 15.0]),
    ("--enable-call-indirect-overlong", [57.0, 52.0, 11.0]),
    ("--enable-multivalue", [85.0, 78.0, 13.1]),
    ("--enable-mutable-globals", [74.0, 61.0, 12.0]),
    ("--enable-nontrapping-float-to-int", [75.0, 64.0, 15.0]),
    ("--enable-reference-types", [96.0, 79.0, 15.0]),
    ("--enable-sign-ext", [74.0, 62.0, 14.1]),
];

#[cfg(test)]
mod tests {
    use super::{ENGINES, WASM_FEATURES};

    #[test]
    fn each_engine_has_the_features_of_the_module_and_is_documented() {
        let guide = include_str!("../../../docs/guides/embedding.md");
        for (at, (name, _, version)) in ENGINES.into_iter().enumerate() {
            assert!(guide.contains(&format!("| {name} | {version} |")), "{name} {version}");
            let number: f32 = version.parse().expect("a version");
            assert!(WASM_FEATURES.iter().all(|(_, first)| number >= first[at]), "{name} {version}");
        }
    }
}
