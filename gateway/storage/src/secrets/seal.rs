//! Secrets of the database, sealed by a key outside it: `sealed:v1:KEY:BASE64`, with XChaCha20-Poly1305 and a random nonce.
//! Without a key they are stored as they are. What is sealed is bound to its place.

use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead as _, AeadCore as _, KeyInit as _, OsRng, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use checkout_domain::ports::{StoreError, Stored};
use sha2::{Digest as _, Sha256};

const PREFIX: &str = "sealed:v1:";

const NONCE_BYTES: usize = 24;

/// The kind of a secret: nothing that is sealed in one place opens in another.
#[derive(Clone, Debug)]
pub(crate) struct SecretKind(String);

impl SecretKind {
    /// Also of the secrets that it replaced.
    pub(crate) fn callback_secret(business: &str) -> Self {
        Self(format!("the callback secret of business {business}"))
    }

    /// With the secrets of its webhooks.
    pub(crate) fn greenfield(business: &str) -> Self {
        Self(format!("the shops of business {business}"))
    }

    pub(crate) fn totp(operator: &str) -> Self {
        Self(format!("the key of the codes of operator {operator}"))
    }

    pub(crate) fn setting(key: &str) -> Self {
        Self(format!("the setting {key}"))
    }
}

struct Key {
    /// The first four bytes of the SHA-256 of the key, in hexadecimal.
    id: String,
    cipher: XChaCha20Poly1305,
}

/// The first key seals; all of them open.
#[derive(Default)]
pub struct Keyring(Vec<Key>);

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| &key.id)).finish()
    }
}

impl Keyring {
    /// Reads a key file. Errors are messages for users and hold nothing of a key.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let unreadable = |error: std::io::Error| format!("The key file {shown} cannot be read: {error}.");
        let mut file = std::fs::File::open(path).map_err(unreadable)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o777;
            if mode & 0o027 != 0 {
                return Err(format!(
                    "The key file {shown} can be read or changed by others (its mode is {mode:04o}): chmod 0600, or 0640 with the \
                     gateway's group."
                ));
            }
        }
        let mut text = String::new();
        std::io::Read::read_to_string(&mut file, &mut text).map_err(unreadable)?;
        Self::parse(&text).map_err(|problem| format!("The key file {shown} is wrong: {problem}."))
    }

    /// A line per key, of 64 hexadecimal digits, the newest first. Blank lines and lines with `#` are comments.
    fn parse(text: &str) -> Result<Self, String> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let keys = lines.map(|(number, line)| {
            let bytes = hex::decode(line).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
            let bytes = bytes.ok_or_else(|| {
                format!(
                    "line {number} is no key of 64 hexadecimal digits, as `openssl rand -hex 32` makes one"
                )
            })?;
            let id = hex::encode(&Sha256::digest(bytes)[..4]);
            Ok(Key { id, cipher: XChaCha20Poly1305::new(&bytes.into()) })
        });
        let keys = keys.collect::<Result<Vec<_>, String>>()?;
        if keys.is_empty() { Err("it has no key".to_owned()) } else { Ok(Self(keys)) }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Of the key that seals.
    pub(crate) fn id(&self) -> Option<&str> {
        self.0.first().map(|key| key.id.as_str())
    }

    /// Whether a key is there.
    pub(crate) fn require(&self, id: &str) -> Stored<()> {
        if self.0.iter().any(|key| key.id == id) {
            return Ok(());
        }
        Err(missing("the secrets of this database are", id))
    }

    pub(crate) fn seal(&self, kind: &SecretKind, secret: &str) -> Stored<String> {
        let Some(key) = self.0.first() else { return Ok(secret.to_owned()) };
        let nonce = XChaCha20Poly1305::generate_nonce(&mut OsRng);
        let payload = Payload { msg: secret.as_bytes(), aad: kind.0.as_bytes() };
        let sealed = key.cipher.encrypt(&nonce, payload);
        let sealed = sealed.map_err(|_| StoreError(format!("{} cannot be sealed", kind.0).into()))?;
        let text = STANDARD_NO_PAD.encode([&nonce[..], &sealed].concat());
        Ok(format!("{PREFIX}{}:{text}", key.id))
    }

    /// A text that is not sealed is returned unchanged.
    pub(crate) fn open(&self, kind: &SecretKind, stored: String) -> Stored<String> {
        let Some(rest) = stored.strip_prefix(PREFIX) else { return Ok(stored) };
        let (id, text) = rest.split_once(':').unwrap_or((rest, ""));
        let Some(key) = self.0.iter().find(|key| key.id == id) else {
            return Err(missing(&format!("{} is", kind.0), id));
        };
        let opened = || {
            let bytes = STANDARD_NO_PAD.decode(text).ok()?;
            let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES)?;
            let nonce = XNonce::from(<[u8; NONCE_BYTES]>::try_from(nonce).ok()?);
            let payload = Payload { msg: sealed, aad: kind.0.as_bytes() };
            String::from_utf8(key.cipher.decrypt(&nonce, payload).ok()?).ok()
        };
        opened().ok_or_else(|| {
            let problem = format!("{} does not open with key {id}: it was changed, or moved here", kind.0);
            StoreError(problem.into())
        })
    }

    /// Whether a stored text is as [`seal`](Self::seal) makes it now.
    pub(crate) fn is_current(&self, stored: &str) -> bool {
        let of = |id: &str| {
            stored.strip_prefix(PREFIX).and_then(|rest| rest.split_once(':')).is_some_and(|(by, _)| by == id)
        };
        self.id().map_or(!stored.starts_with(PREFIX), of)
    }
}

fn missing(what: &str, id: &str) -> StoreError {
    let problem = format!(
        "{what} sealed by key {id}, which is not there: name the file that has it with `secret_keys` in the configuration \
         file of `checkout serve`, or in the environment variable CHECKOUT_SECRET_KEYS"
    );
    StoreError(problem.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(digits: &[&str]) -> Keyring {
        Keyring::parse(&digits.iter().map(|digit| digit.repeat(64) + "\n").collect::<String>()).unwrap()
    }

    #[test]
    fn what_is_sealed_opens_in_its_place_with_its_key_only() {
        let kind = SecretKind::callback_secret("a");
        let sealed = ring(&["1"]).seal(&kind, "whsec_secret").unwrap();
        assert!(!sealed.contains("secret"));
        assert_ne!(sealed, ring(&["1"]).seal(&kind, "whsec_secret").unwrap(), "a nonce of its own");
        let check = |keys: &Keyring, kind: &SecretKind, text: &str, expected: Result<&str, &str>| match (
            keys.open(kind, text.to_owned()),
            expected,
        ) {
            (Ok(have), Ok(secret)) => assert_eq!(have, secret),
            (Err(have), Err(part)) => assert!(have.0.to_string().contains(part), "{}", have.0),
            (have, expected) => panic!("{have:?} instead of {expected:?}"),
        };
        check(&ring(&["1"]), &kind, &sealed, Ok("whsec_secret"));
        check(&ring(&["2", "1"]), &kind, &sealed, Ok("whsec_secret"));
        check(&ring(&["2"]), &kind, &sealed, Err("which is not there"));
        check(&Keyring::default(), &kind, &sealed, Err("CHECKOUT_SECRET_KEYS"));
        check(&ring(&["1"]), &SecretKind::callback_secret("b"), &sealed, Err("does not open"));
        let changed =
            format!("{}{}", &sealed[..sealed.len() - 1], if sealed.ends_with('A') { 'B' } else { 'A' });
        check(&ring(&["1"]), &kind, &changed, Err("does not open"));
        check(&ring(&["1"]), &kind, &sealed[..30], Err("does not open"));
        check(&ring(&["1"]), &kind, "whsec_plain", Ok("whsec_plain"));
        assert_eq!(Keyring::default().seal(&kind, "whsec_plain").unwrap(), "whsec_plain");
        for (keys, current) in [(ring(&["1"]), true), (ring(&["2", "1"]), false), (Keyring::default(), false)]
        {
            assert_eq!(keys.is_current(&sealed), current);
            assert_eq!(keys.is_current("whsec_plain"), keys.is_empty());
        }
    }

    #[test]
    fn a_key_file_says_what_is_wrong_with_it() {
        let key = "0123456789abcdefABCDEF".repeat(3)[..64].to_owned();
        assert_eq!(Keyring::parse(&format!("# new\n{key}\n\n  {}  \n", "1".repeat(64))).unwrap().0.len(), 2);
        for (text, expected) in [
            ("", "no key"),
            ("# none\n", "no key"),
            ("secret", "line 1"),
            (&format!("{key}\n{}", &key[1..]), "line 2"),
            (&format!("+{}", &key[1..]), "line 1"),
            (&"é".repeat(32), "line 1"),
        ] {
            let problem = Keyring::parse(text).unwrap_err();
            assert!(problem.contains(expected) && !problem.contains(&key[1..9]), "{problem}");
        }
        assert!(
            Keyring::read(Path::new("/nowhere/keys")).unwrap_err().contains("/nowhere/keys cannot be read")
        );
        assert!(!format!("{:?}", ring(&["1"])).contains("1111"));
    }
}
