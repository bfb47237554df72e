//! The imports among the scripts: TypeScript and JavaScript.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;
use crate::files;

/// Each file, without its ending, with the files that it imports.
pub(crate) fn graph(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let scripts: BTreeMap<&str, &Source> =
        sources.iter().filter_map(|source| Some((stem(&source.path)?, source))).collect();
    let imported = |name: &str, source: &Source| {
        let known = |specifier: &str| {
            let path = files::resolve(name, specifier);
            Some(*scripts.get_key_value(stem(&path).unwrap_or(&path))?.0)
        };
        specifiers(&source.text).filter_map(known).collect()
    };
    scripts.iter().map(|(name, source)| (*name, imported(name, source))).collect()
}

fn stem(path: &str) -> Option<&str> {
    [".ts", ".tsx", ".js", ".mjs"].iter().find_map(|ending| path.strip_suffix(ending))
}

/// The relative paths in `import … from "./a"`, `export … from "./a"` and `import "./a"`. Types are imports, too.
fn specifiers(text: &str) -> impl Iterator<Item = &str> {
    let quoted = |line: &'_ str| -> Option<usize> {
        let is_import =
            line.starts_with("import ") || line.starts_with("export ") || line.starts_with("} from ");
        is_import.then(|| line.rfind("\"."))?
    };
    text.lines().filter_map(move |line| {
        let start = quoted(line)? + 1;
        line[start..].split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::{Source, graph};

    #[test]
    fn imports_are_resolved() {
        let sources = [
            Source::new("www/a.ts", "import { b } from \"./c/b\";\nimport type {\n  D,\n} from \"./d.ts\";"),
            Source::new("www/c/b.ts", "export * from \"../d\";\nimport \"preact\";"),
            Source::new("www/d.tsx", "const a = \"./a\";"),
            Source::new("npm/e.mjs", "import { f } from \"./f.js\";"),
            Source::new("npm/f.js", ""),
        ];
        let graph = graph(&sources);
        let uses = |name: &str| graph[name].iter().copied().collect::<Vec<_>>();
        assert_eq!(uses("www/a"), ["www/c/b", "www/d"]);
        assert_eq!(uses("www/c/b"), ["www/d"]);
        assert!(uses("www/d").is_empty());
        assert_eq!(uses("npm/e"), ["npm/f"]);
    }
}
