// Currencies by their codes.

export const COINS = ["BTC", "ETH", "USDT", "USDC", "LTC", "BCH", "XRP", "XLM", "LINK"];
export const FIATS = ["EUR", "USD", "GBP", "CHF", "JPY", "TRY", "PLN", "CZK", "SEK", "NOK", "DKK", "CAD", "AUD", "BRL", "RUB"];
