//! One row per network and per cryptocurrency. Macros make the enumerations, their codes and tables from these rows.

/// Calls the macro `$with` with `$head` and a row per network: its variant, its code on the wire, and its `Chain` in
/// `chain/`. Networks that interface section 2.10 lacks come last.
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
            Polygon = "POLYGON" => evm::Polygon,
            Base = "BASE" => evm::Base,
            Arbitrum = "ARBITRUM" => evm::Arbitrum,
            Doge = "DOGE" => dogecoin::Dogecoin,
        }
    };
}

/// Calls the macro `$with` with a row per currency, in the order shown to payers: its variant, its code on the
/// wire, the name shown to payers, EUR per coin in the sandbox, the range of credible rates in thousandths of a euro, and
/// its names at CoinGecko and at Kraken. The word `opt_in` marks a currency that interface section 2.10 lacks; these come last.
macro_rules! currencies {
    ($with:ident) => {
        $with! {
            Btc = "BTC", "Bitcoin", "60000", 1_000_000..10_000_000_000, "bitcoin", "XXBTZEUR";
            Eth = "ETH", "Ether", "3000", 30_000..1_000_000_000, "ethereum", "XETHZEUR";
            Usdt = "USDT", "Tether USD", "0.92", 500..1_500, "tether", "USDTEUR";
            Usdc = "USDC", "USD Coin", "0.92", 500..1_500, "usd-coin", "USDCEUR";
            Ltc = "LTC", "Litecoin", "75", 2_000..100_000_000, "litecoin", "XLTCZEUR";
            Bch = "BCH", "Bitcoin Cash", "350", 5_000..100_000_000, "bitcoin-cash", "BCHEUR";
            Xrp = "XRP", "XRP", "0.5", 10..1_000_000, "ripple", "XXRPZEUR";
            Xlm = "XLM", "Stellar Lumens", "0.1", 2..100_000, "stellar", "XXLMZEUR";
            Link = "LINK", "Chainlink", "12.5", 200..10_000_000, "chainlink", "LINKEUR";
            Doge = "DOGE", "Dogecoin", "0.2", 2..100_000, "dogecoin", "XDGEUR", opt_in;
        }
    };
}

pub(crate) use {currencies, networks};
