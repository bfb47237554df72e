//! Key files of payout accounts: a secret in its network's text form, encrypted with a passphrase by [age](https://age-encryption.org).
//!
//! `age --passphrase --output xrp.age` writes such a file, and so does every other implementation of the format. Accounts of
//! Ethereum and its relatives also have the form of their wallets, [`keystore`].

pub mod account;
pub mod keystore;
pub mod remote;
pub mod secp256k1;

use std::path::Path;

use age::DecryptError;
use age::scrypt::Identity;
use age::secrecy::SecretString;
use zeroize::Zeroizing;

/// Maximum work factor, as a power of two. `age` writes 18; a higher one would only keep this process busy.
const MAX_WORK_FACTOR: u8 = 22;

/// Opens a key file. It takes about a second by design. Errors are messages for users and never contain the
/// secret.
pub fn open(path: &Path, passphrase: &str) -> Result<Zeroizing<String>, String> {
    let shown = path.display();
    let sealed =
        std::fs::read(path).map_err(|error| format!("The key file {shown} cannot be read: {error}."))?;
    let mut identity = Identity::new(SecretString::from(passphrase.to_owned()));
    identity.set_max_work_factor(MAX_WORK_FACTOR);
    let opened = age::decrypt(&identity, &sealed).map(Zeroizing::new).map_err(|error| match error {
        DecryptError::DecryptionFailed | DecryptError::NoMatchingKeys => {
            format!("The key file {shown} does not open with this passphrase.")
        }
        error => format!("The key file {shown} is not a file that age encrypted with a passphrase: {error}."),
    })?;
    let text = std::str::from_utf8(&opened).map_err(|_| format!("The key file {shown} holds no text."))?;
    Ok(Zeroizing::new(text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Written by `age-encryption` 0.3.1, the JavaScript implementation of the format's author, with work
    /// factor 10.
    const BY_ANOTHER: &str = include_str!("../tests/by_age_encryption.age");

    #[test]
    fn a_file_opens_only_with_its_passphrase() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.age");
        let check = |content: &[u8], passphrase: &str, expected: Result<&str, &str>| {
            fs::write(&path, content).unwrap();
            match (open(&path, passphrase), expected) {
                (Ok(have), Ok(secret)) => assert_eq!(*have, secret),
                (Err(have), Err(part)) => assert!(have.contains(part), "{have}"),
                (have, expected) => panic!("{have:?} instead of {expected:?}"),
            }
        };
        let secret = "sEdTM1uX8pu2do5XvTnutH6HsouMaM2";
        check(BY_ANOTHER.as_bytes(), "correct horse", Ok(secret));
        check(BY_ANOTHER.as_bytes(), "battery staple", Err("does not open with this passphrase"));
        check(secret.as_bytes(), "correct horse", Err("not a file that age encrypted"));
        check(b"", "", Err("not a file that age encrypted"));
        let mut recipient = age::scrypt::Recipient::new(SecretString::from("own"));
        recipient.set_work_factor(5);
        let own = age::encrypt(&recipient, b"  secret \n").unwrap();
        check(&own, "own", Ok("secret"));
        assert!(open(&folder.path().join("none"), "").unwrap_err().contains("none cannot be read"));
    }
}
