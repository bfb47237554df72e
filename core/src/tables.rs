//! One row per network and per cryptocurrency. Macros make the enumerations, their codes and tables from these rows.

/// Calls the macro `$with` with `$head` and a row per network: the crate's feature that compiles it, its variant, its code, and its
/// `Chain` in `chain/`. Networks that interface section 2.10 lacks come after those that it has, and those that no gateway serves last.
macro_rules! networks {
    ($with:ident $($head:tt)*) => {
        $with! {
            $($head)*
            ["bitcoin"] Btc = "BTC" => bitcoin::Bitcoin,
            ["bitcoin-cash"] Bch = "BCH" => bitcoin_cash::BitcoinCash,
            ["bitcoin"] Ltc = "LTC" => litecoin::Litecoin,
            ["evm"] Eth = "ETH" => evm::Ethereum,
            ["evm"] Bsc = "BSC" => evm::BnbSmartChain,
            ["tron"] Trx = "TRX" => tron::Tron,
            ["xrp"] Xrp = "XRP" => xrp::XrpLedger,
            ["stellar"] Xlm = "XLM" => stellar::Stellar,
            ["evm"] Polygon = "POLYGON" => evm::Polygon,
            ["evm"] Base = "BASE" => evm::Base,
            ["evm"] Arbitrum = "ARBITRUM" => evm::Arbitrum,
            ["bitcoin"] Doge = "DOGE" => dogecoin::Dogecoin,
            ["optimism"] Optimism = "OPTIMISM" => evm::Optimism,
            ["avalanche"] Avalanche = "AVALANCHE" => evm::Avalanche,
            ["solana"] Sol = "SOL" => solana::Solana,
            ["polkadot"] Dot = "DOT" => polkadot::Polkadot,
            ["cardano"] Ada = "ADA" => cardano::Cardano,
            ["monero"] Xmr = "XMR" => monero::Monero,
            ["zcash"] Zec = "ZEC" => zcash::Zcash,
            ["cosmos"] Atom = "ATOM" => cosmos::CosmosHub,
            ["ton"] Ton = "TON" => ton::Ton,
            ["sui"] Sui = "SUI" => sui::Sui,
            ["aptos"] Apt = "APT" => aptos::Aptos,
        }
    };
}

/// Calls the macro `$with` with a row per currency, in the order shown to payers: its variant, its code on the
/// wire, the name shown to payers, EUR per coin in the sandbox, the range of credible rates in thousandths of a euro, and
/// its names at CoinGecko and at Kraken. The word `opt_in` marks a currency that interface section 2.10 lacks; these come last.
/// Then those of networks that no gateway serves: the crate's feature, the variant, its code and its name.
macro_rules! currencies {
    ($with:ident) => {
        $with! {
            served:
            {
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
            address_only:
            {
            ["avalanche"] Avax = "AVAX", "Avalanche";
            ["solana"] Sol = "SOL", "Solana";
            ["polkadot"] Dot = "DOT", "Polkadot";
            ["cardano"] Ada = "ADA", "Cardano";
            ["monero"] Xmr = "XMR", "Monero";
            ["zcash"] Zec = "ZEC", "Zcash";
            ["cosmos"] Atom = "ATOM", "Cosmos";
            ["ton"] Ton = "TON", "Toncoin";
            ["sui"] Sui = "SUI", "Sui";
            ["aptos"] Apt = "APT", "Aptos";
            }
        }
    };
}

pub(crate) use {currencies, networks};
