//! Logo and colour of a business on the command line.

use checkout_test_nodes::black_png;
use serde_json::Value;

use crate::gateway::{on_both, run};

#[test]
fn a_business_has_a_logo_and_a_colour() {
    on_both(brand_of);
}

fn brand_of(database: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (logo, small) = (file("logo.png", &black_png(240, 80)), file("small.png", &black_png(16, 16)));
    let svg = file("logo.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>");
    let large = file("large.png", &[black_png(64, 64), vec![0; 40_000]].concat());

    let create = ["business", "create", "--database", database, "--json", "--name", "Kettle & Co"];
    let made = run(&[&create[..], &["--brand-color", "#FFD400", "--logo", &logo]].concat());
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let id = made["id"].as_str().unwrap();
    let shown = || {
        let output = run(&["business", "show", id, "--database", database]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        (shown["brandColor"].clone(), shown["logo"].clone())
    };
    let brand = shown();
    assert_eq!(brand.0, "#ffd400");
    let path = brand.1.as_str().unwrap();
    assert!(path.starts_with("/logos/") && path.ends_with("-240x80.png"), "{path}");

    let update = |more: &[&str]| run(&[&["business", "update", id, "--database", database], more].concat());
    let none = folder.path().join("none.png");
    for (wrong, said) in [
        (["--brand-color", "yellow"], "must be # and six hexadecimal digits, such as #1f4fd8"),
        (["--logo", &svg], "must be a PNG, WebP or JPEG image; SVG is not accepted"),
        (["--logo", &small], "has 16 × 16 pixels: each side must have 32 to 1024"),
        (["--logo", &large], "must have at most 32768 bytes"),
        (["--logo", none.to_str().unwrap()], "the file cannot be read"),
    ] {
        let output = update(&wrong);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(error.contains(said), "{wrong:?}: {error}");
    }
    update(&["--name", "Kettle"]);
    assert_eq!(shown(), brand, "omitted settings stay");
    assert!(update(&["--brand-color", ""]).status.success());
    assert_eq!(shown(), (Value::Null, brand.1));
    assert!(update(&["--logo", ""]).status.success());
    assert_eq!(shown(), (Value::Null, Value::Null));
}
