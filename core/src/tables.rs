//! One row per network and per cryptocurrency. Macros make the enumerations, their codes and tables from these rows.

/// Calls the macro `$with` with `$head` and a row per network: its variant, its code on the wire, and its `Chain` in
/// `chain/`.
macro_rules! networks {
    ($with:ident $($head:tt)*) => {
        $with! {
            $($head)*
            Btc = "BTC" => bitcoin::Bitcoin,
            Bch = "BCH" => bitcoin_cash::BitcoinCash,
            Ltc = "LTC" => litecoin::Litecoin,
            Eth = "ETH" => evm::Ethereum,
            Bsc = "BSC" => evm::BnbSmartChain,
            Trx = "TRX" => tron::Tron,
            Xrp = "XRP" => xrp::XrpLedger,
            Xlm = "XLM" => stellar::Stellar,
        }
    };
}

/// Calls the macro `$with` with a row per currency, in the order shown to payers: its variant, its code on the
/// wire, the name shown to payers, EUR per coin in the sandbox, and the range of credible rates in thousandths of a euro.
macro_rules! currencies {
    ($with:ident) => {
        $with! {
            Btc = "BTC", "Bitcoin", "60000", 1_000_000..10_000_000_000;
            Eth = "ETH", "Ether", "3000", 30_000..1_000_000_000;
            Usdt = "USDT", "Tether USD", "0.92", 500..1_500;
            Usdc = "USDC", "USD Coin", "0.92", 500..1_500;
            Ltc = "LTC", "Litecoin", "75", 2_000..100_000_000;
            Bch = "BCH", "Bitcoin Cash", "350", 5_000..100_000_000;
            Xrp = "XRP", "XRP", "0.5", 10..1_000_000;
            Xlm = "XLM", "Stellar Lumens", "0.1", 2..100_000;
            Link = "LINK", "Chainlink", "12.5", 200..10_000_000;
        }
    };
}

pub(crate) use {currencies, networks};
