//! Paths of programs and files, with instructions if one is missing.

use std::env;
use std::path::{Path, PathBuf};

/// The gateway under test.
pub(crate) fn gateway() -> PathBuf {
    let path = env::var_os("CHECKOUT_BIN").map_or_else(|| target().join("checkout"), PathBuf::from);
    assert!(
        path.is_file(),
        "There is no gateway at {}. `cargo xtask test e2e` builds it and runs these tests; or name one in \
         CHECKOUT_BIN.",
        path.display()
    );
    path
}

/// A file of `examples/`.
pub(crate) fn example(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the package is a folder of the repository").join("examples").join(name)
}

/// Where the checkout as static files is, if it is built.
pub(crate) fn kit_folder() -> PathBuf {
    target().with_file_name("kit-debug")
}

/// The checkout as static files, which `cargo xtask test e2e` builds.
pub(crate) fn kit() -> PathBuf {
    let folder = kit_folder();
    assert!(
        folder.join("index.html").is_file(),
        "There is no kit in {}. `cargo xtask test e2e` builds it and runs these tests.",
        folder.display()
    );
    folder
}

pub(crate) fn chromium() -> PathBuf {
    find("CHECKOUT_CHROMIUM", &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
}

pub(crate) fn chromedriver() -> PathBuf {
    find("CHECKOUT_CHROMEDRIVER", &["chromedriver", "chromium.chromedriver"])
}

pub(crate) fn firefox() -> PathBuf {
    find("CHECKOUT_FIREFOX", &["firefox", "firefox-esr"])
}

pub(crate) fn geckodriver() -> PathBuf {
    find("CHECKOUT_GECKODRIVER", &["geckodriver"])
}

pub(crate) fn webkit_driver() -> PathBuf {
    find("CHECKOUT_WEBKITDRIVER", &["WebKitWebDriver"])
}

/// WebKitGTK's own small browser, which is not on the path.
pub(crate) fn mini_browser() -> PathBuf {
    find("CHECKOUT_MINIBROWSER", &["MiniBrowser"])
}

/// A screen in memory.
pub(crate) fn xvfb() -> PathBuf {
    find("CHECKOUT_XVFB", &["Xvfb"])
}

/// axe-core, which `cargo xtask test e2e` installs.
pub(crate) fn axe() -> PathBuf {
    let path = env::var_os("CHECKOUT_AXE").map(PathBuf::from).unwrap_or_default();
    assert!(
        path.is_file(),
        "CHECKOUT_AXE names no file. `cargo xtask test e2e` installs axe-core and runs these tests; or name the \
         axe.min.js of its npm package."
    );
    path
}

/// The folder for screenshots, created if missing.
pub(crate) fn screenshots() -> PathBuf {
    let folder = env::var_os("CHECKOUT_SCREENSHOTS").map_or_else(
        || target().parent().expect("a profile's folder is inside the target folder").join("screenshots"),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).expect("the screenshot folder can be made");
    folder
}

/// `target/<profile>`: this test runs from its `deps` folder.
fn target() -> PathBuf {
    let test = env::current_exe().expect("a running program has a path");
    test.ancestors().nth(2).expect("cargo puts tests into target/<profile>/deps").to_owned()
}

fn find(variable: &str, names: &[&str]) -> PathBuf {
    if let Some(path) = env::var_os(variable) {
        let path = PathBuf::from(path);
        assert!(path.is_file(), "{variable} names {}, which is not a file.", path.display());
        return path;
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    let found = names.iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| is_program(p)));
    found.unwrap_or_else(|| {
        panic!(
            "None of {} is on PATH. `cargo xtask test e2e` installs the browser and its driver; or name one in {variable}.",
            names.join(", ")
        )
    })
}

fn is_program(path: &Path) -> bool {
    path.is_file()
}
