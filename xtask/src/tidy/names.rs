//! A type name is defined in at most three places of the product: one word, few meanings.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

const MOST: usize = 3;

/// The adapters of `chains/` and of `checkout/src/chains/`.
const ADAPTERS: [&str; 5] = ["bitcoin", "evm", "stellar", "tron", "xrp"];

/// Crates that only tests and rare commands use.
const EXCEPT: [&str; 3] = ["chains/conformance/", "chains/doubles/", "chains/sweep/"];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_product()) {
        if !EXCEPT.iter().any(|except| source.path.starts_with(except)) {
            for name in &source.code.types {
                files.entry(name).or_default().push(&source.path);
            }
        }
    }
    files.retain(|_, files| places(files) > MOST);
    let finding = |(name, files): (&str, Vec<&str>)| {
        let (first, count, all) = (files[0], places(&files), files.join(", "));
        format!("{first}: `{name}` is defined in {count} places ({all}); name the type by what it is")
    };
    files.into_iter().map(finding).collect()
}

/// Equal files of several adapters are one.
fn places(files: &[&str]) -> usize {
    let place = |file: &&str| {
        let is_adapter = ["chains/", "checkout/src/chains/"].iter().any(|family| file.starts_with(family));
        let names = ADAPTERS.iter().filter(|_| is_adapter);
        names.fold((*file).to_owned(), |file, name| file.replace(name, "*"))
    };
    files.iter().map(place).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    #[test]
    fn a_name_has_few_places() {
        let three = ["core/src/a.rs", "gateway/src/b.rs", "widget/src/c.rs"];
        let all = "core/src/a.rs: `Place` is defined in 4 places (core/src/a.rs, gateway/src/b.rs, widget/src/c.rs, checkout/src/d.rs);";
        for (more, expected) in [
            (&[][..], ""),
            (&["checkout/src/d.rs"], all),
            (&["gateway/tests/d.rs", "xtask/src/d.rs", "gateway/storage/src/tests/d.rs"], ""),
            (&["chains/doubles/src/d.rs", "core/oracles/src/d.rs"], ""),
            (&["chains/evm/src/cursor.rs", "chains/xrp/src/cursor.rs"], "in 4 places"),
        ] {
            let files = three.iter().chain(more).map(|path| Source::new(path, "pub(crate) struct Place;"));
            super::super::expect(&check(&files.collect::<Vec<_>>()), expected, &format!("{more:?}"));
        }
        for adapters in ["chains/*/src/cursor.rs", "chains/*/src/*.rs", "checkout/src/chains/*.rs"] {
            let adapters = ["evm", "stellar", "tron", "xrp"].map(|name| adapters.replace('*', name));
            let files: Vec<_> =
                adapters.iter().map(|path| Source::new(path, "pub(crate) struct Place;")).collect();
            assert!(check(&files).is_empty(), "{adapters:?}");
        }
    }
}
