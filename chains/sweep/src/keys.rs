//! The private keys of one run.

use std::fmt;

use bip32::{ChildNumber, ExtendedKey, XPrv};
use zeroize::Zeroizing;

/// The account whose public key the gateway has.
pub struct Keys(XPrv);

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    /// Reads the extended private key of the account, such as `xprv…`. Errors are messages for users and repeat nothing of it.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = || "the key is no extended private key of an account (xprv…)".to_owned();
        let key: ExtendedKey = text.parse().map_err(|_| wrong())?;
        if !key.prefix.is_private() {
            return Err(
                "the key is the public one, which moves nothing: the private one is needed".to_owned()
            );
        }
        key.try_into().map(Self).map_err(|_| wrong())
    }

    /// Of the address that was given to a payer under this number.
    pub fn deposit(&self, index: u32) -> Result<Zeroizing<[u8; 32]>, String> {
        self.child(0, index)
    }

    /// Of the account that pays for gas.
    pub fn gas(&self) -> Result<Zeroizing<[u8; 32]>, String> {
        self.child(1, 0)
    }

    fn child(&self, chain: u32, index: u32) -> Result<Zeroizing<[u8; 32]>, String> {
        let number = |number| ChildNumber::new(number, false);
        let child = number(chain).and_then(|chain| self.0.derive_child(chain));
        let child = child.and_then(|child| child.derive_child(number(index)?));
        let child =
            child.map_err(|error| format!("the key of {chain}/{index} cannot be derived: {error}"))?;
        Ok(Zeroizing::new(child.to_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_private_key_is_refused_and_not_repeated() {
        // BIP-32, test vector 1.
        const XPRV: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
        const XPUB: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
        let check = |text: &str, part: &str| {
            let error = Keys::read(text).err().unwrap_or_default();
            assert!(error.contains(part) && !error.contains("9s21Z"), "{error}");
        };
        check(XPRV, "");
        check(XPUB, "is the public one");
        check(&XPRV[..100], "no extended private key");
        check("", "no extended private key");
        let keys = Keys::read(XPRV).unwrap();
        assert_ne!(keys.deposit(0).unwrap(), keys.deposit(1).unwrap());
        assert_ne!(keys.deposit(0).unwrap(), keys.gas().unwrap());
    }
}
