//! The key of the account that payouts come from, or of one that is swept.

pub use checkout_chain_keys::secp256k1::Key;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account;

    /// The same on Ethereum: the private key of 32 bytes 0x01.
    #[test]
    fn the_account_of_a_key() {
        let key = Key::from_secret(&[0x01; 32]).unwrap();
        assert_eq!(account::to_hex(key.account()), "411a642f0e3c3af545e7acbd38b07251b3990914f1");
    }
}
