//! Each file of the product says on its first line what it is about.

use super::source::Source;

pub(crate) fn check(source: &Source) -> Vec<String> {
    if !source.is_product() || source.text.starts_with("//! ") {
        return Vec::new();
    }
    vec![format!("{}:1: the first line says what the file is about, as in //! A quote.", source.path)]
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[test]
    fn a_file_says_what_it_is_about() {
        let check = |path: &str, text: &str, count: usize| {
            assert_eq!(check(&Source::new(path, text)).len(), count, "{path}");
        };
        check("core/src/a.rs", "//! A quote.\nuse a::B;\n", 0);
        check("core/src/a.rs", "use a::B;\n", 1);
        check("core/src/a.rs", "\n//! A quote.\nuse a::B;\n", 1);
        check("core/tests/a.rs", "use a::B;\n", 0);
        check("xtask/src/a.rs", "use a::B;\n", 0);
    }
}
