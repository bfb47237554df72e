//! `SHA256SUMS`, as `sha256sum --check` reads it.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::files;
use crate::folder::{Files, read_all};
use crate::outcome::Outcome;

const NAME: &str = "SHA256SUMS";

pub(super) fn run(dist: &Path) -> Outcome<()> {
    let mut content = read_all(dist)?;
    content.remove(NAME);
    if content.is_empty() {
        return Err(format!("{} has no file.", dist.display()));
    }
    let sums = sums(&content);
    print!("{sums}");
    files::write(&dist.join(NAME), sums)
}

fn sums(content: &Files) -> String {
    let lines: Vec<String> = content
        .iter()
        .map(|(name, bytes)| format!("{}  {name}\n", hex::encode(Sha256::digest(bytes))))
        .collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::{Files, sums};

    #[test]
    fn a_line_has_the_digest_and_the_name() {
        let content = Files::from([("b".to_owned(), Vec::new()), ("a".to_owned(), b"abc".to_vec())]);
        // FIPS 180-2, appendix B.1, and the digest of nothing.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
                        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n";
        assert_eq!(sums(&content), expected);
    }
}
