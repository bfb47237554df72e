//! Passwords of operators by argon2id, and their one-time codes (RFC 6238).

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_domain::access::operator::{Name, Secrets};
use checkout_domain::ports::{Random, random_bytes};
use totp_rs::{Builder, Secret, Totp};

/// The shortest password that is taken, in characters (NIST SP 800-63B asks for 8 beside another factor).
pub const SHORTEST: usize = 12;
pub const LONGEST: usize = 256;

const ISSUER: &str = "Crypto Checkout";

/// The hash that the password of somebody unknown is compared with, so that the answer takes as long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash("nobody has this password"));

/// With a random salt and the parameters that OWASP recommends (19 MiB, 2 passes), which are the library's own.
pub fn hash(password: &str) -> String {
    let hashed = Argon2::default().hash_password(password.as_bytes());
    hashed.expect("the parameters and a salt of the library are valid").to_string()
}

/// Takes tens of milliseconds, also without a hash.
pub fn matches_hash(password: &str, hash: Option<&str>) -> bool {
    let is_known = hash.is_some();
    let Ok(hash) = PasswordHash::new(hash.unwrap_or_else(|| &NOBODY)) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok() && is_known
}

/// A password that nobody has to invent: 120 random bits.
pub fn random(random: &dyn Random) -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<15>(random))
}

/// A key of one-time codes, in base32.
pub fn random_key(random: &dyn Random) -> String {
    Secret::from(random_bytes::<20>(random)).to_base32()
}

/// The link that an authenticator reads.
pub fn link(name: &Name, secrets: &Secrets) -> String {
    let codes = codes(&secrets.totp, name.as_str()).expect("the key is the gateway's own");
    codes.to_url().expect("the name and the issuer have no colon")
}

/// The step of a code that is valid at `now`, give or take half a minute.
pub fn step_of(code: &str, key: &str, now: u64) -> Option<u64> {
    codes(key, "")?.check(code, now)
}

/// The code at a time, for tests and rehearsals.
pub fn code_at(key: &str, now: u64) -> Option<String> {
    Some(codes(key, "")?.generate(now).to_string())
}

fn codes(key: &str, name: &str) -> Option<Totp> {
    let key = Secret::try_from_base32(key).ok()?;
    Builder::new().with_secret(key).with_issuer(Some(ISSUER)).with_account_name(name).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_is_right() {
        let stored = hash("correct horse battery");
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash("correct horse battery"), "each hash has its salt");
        for (given, expected) in
            [("correct horse battery", true), ("correct horse batterz", false), ("", false)]
        {
            assert_eq!(matches_hash(given, Some(&stored)), expected, "{given}");
        }
        assert!(!matches_hash("nobody has this password", None));
        assert!(!matches_hash("", Some("")));
    }

    /// RFC 6238, appendix B: the key is the text 12345678901234567890; six digits are the last of its eight.
    #[test]
    fn codes_of_the_standard() {
        let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        for (now, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(code_at(key, now).as_deref(), Some(code));
            let steps = [now - 30, now, now + 30, now + 60].map(|now| step_of(code, key, now));
            assert_eq!(steps, [Some(now / 30), Some(now / 30), Some(now / 30), None], "{now}");
        }
        for code in ["", "28708", "287083", "2870820", "abcdef"] {
            assert_eq!(step_of(code, key, 59), None, "{code:?}");
        }
    }
}
