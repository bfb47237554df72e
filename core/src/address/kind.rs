//! Kinds of addresses and environments.

use crate::codes::codes;

codes! {
    /// The kind of an address.
    #[non_exhaustive]
    Kind("kind of address") {
        /// Bitcoin family: the hash of a public key.
        P2pkh = "p2pkh",
        /// Bitcoin family: the hash of a script.
        P2sh = "p2sh",
        /// Segwit version 0, 20 bytes: the hash of a public key.
        P2wpkh = "p2wpkh",
        /// Segwit version 0, 32 bytes: the hash of a script.
        P2wsh = "p2wsh",
        /// Segwit version 1, 32 bytes: taproot.
        P2tr = "p2tr",
        /// Segwit version 1, two bytes: pay-to-anchor, which anyone can spend (BIP-433).
        P2a = "p2a",
        /// A witness program of an undefined version (BIP-350).
        FutureWitness = "future_witness",
        /// Litecoin: the two keys of a stealth address, in the MimbleWimble extension block.
        Mweb = "mweb",
        /// Bitcoin Cash: a script hash of 32 bytes.
        P2sh32 = "p2sh32",
        /// Bitcoin Cash: as [`Kind::P2pkh`], of a wallet that supports CashTokens.
        TokenP2pkh = "token_p2pkh",
        /// Bitcoin Cash: as [`Kind::P2sh`], of a wallet that supports CashTokens.
        TokenP2sh = "token_p2sh",
        /// Bitcoin Cash: as [`Kind::P2sh32`], of a wallet that supports CashTokens.
        TokenP2sh32 = "token_p2sh32",
        /// An account: EVM, TRON, Stellar `G…`, networks of which only addresses are checked. On TON `EQ…`: coins return if it takes none.
        Account = "account",
        /// XRP Ledger: an account, `r…`.
        Classic = "classic",
        /// XRP Ledger: an account with or without its tag in one text, `X…` (XLS-5).
        XAddress = "x_address",
        /// Stellar: an account and an id in one text, `M…` (SEP-23).
        Muxed = "muxed",
        /// Stellar: a contract, `C…` (SEP-23).
        Contract = "contract",
        /// Cardano: the hash of a key or script to pay to, `addr1…`, with or without that of its rewards.
        Shelley = "shelley",
        /// Cardano: the address of a wallet from before Shelley, `Ae2…` or `DdzFF…`.
        Byron = "byron",
        /// Monero: an address of an account besides its first, `8…`.
        Subaddress = "subaddress",
        /// Monero: an address with a payment id, which belongs to it, `4…` with 106 characters.
        Integrated = "integrated",
        /// Zcash: several receivers in one text, `u1…` (ZIP-316).
        Unified = "unified",
        /// Zcash: for the pool Sapling, `zs1…`.
        Sapling = "sapling",
        /// Zcash: the hash of a public key, which takes coins from transparent addresses alone, `tex1…` (ZIP-320).
        Tex = "tex",
        /// TON: an account that also takes coins before its contract exists, `UQ…`.
        NonBounceable = "non_bounceable",
    }
}

codes! {
    /// Networks whose coins have no value.
    #[non_exhaustive]
    TestNetwork("test network") {
        Testnet = "testnet",
        Regtest = "regtest",
    }
}
