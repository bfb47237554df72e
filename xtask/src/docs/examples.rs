//! The page with the programs of `examples/`, which the tests run.

use std::fmt::Write as _;
use std::path::Path;

use crate::files;
use crate::outcome::Outcome;

struct Example {
    file: &'static str,
    language: &'static str,
    about: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        file: "examples/merchant.py",
        language: "python",
        about: "A back end in Python, with the standard library only: it creates payments, verifies webhooks and reads the status.",
    },
    Example { file: "examples/merchant.mjs", language: "js", about: "The same in Node, without packages." },
    Example {
        file: "examples/iframe.html",
        language: "html",
        about: "A page with a plain iframe that follows the height and the status of the checkout, without `embed.js`.",
    },
    Example {
        file: "examples/react.tsx",
        language: "ts",
        about: "A React component that loads the checkout, also on pages that are rendered by a server.",
    },
    Example {
        file: "core/examples/check_address.rs",
        language: "rust",
        about: "The validation core alone: checks an address and a tag, and explains the error.",
    },
];

pub(super) fn page(root: &Path) -> Outcome<String> {
    let mut page = String::from(
        "# Examples\n\nWhole programs. Each is a file of the repository, and the tests run it against a gateway.\n",
    );
    for Example { file, language, about } in EXAMPLES {
        let name = file.rsplit('/').next().unwrap_or(file);
        let code = files::read_text(&root.join(file))?;
        let _ = write!(
            page,
            "\n## {name} {{#{}}}\n\n{about}\n\n````{language}\n{code}````\n",
            name.replace('.', "")
        );
    }
    Ok(page)
}
