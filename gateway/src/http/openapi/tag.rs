//! The chapters of the document.

pub const PAYMENTS: &str = "Payments";
pub const BUSINESSES: &str = "Businesses";
pub const WITHDRAWALS: &str = "Withdrawals";
pub const REFUNDS: &str = "Refunds";
pub const WHITELIST: &str = "Whitelist";
pub const SALES: &str = "Sale links";
pub const COUNTERS: &str = "Counters";
pub const CALLBACKS: &str = "Callbacks";
pub const VALIDATION: &str = "Address validation";
pub const MARKET: &str = "Currencies, rates and fees";
pub const CHECKOUT: &str = "Hosted checkout";
pub const OPERATIONS: &str = "Operations";
pub const SANDBOX: &str = "Sandbox";

/// Name and description, in the order of the document.
pub const ALL: [(&str, &str); 13] = [
    (PAYMENTS, "Create payments and follow them until they are paid."),
    (BUSINESSES, "The settings of a business."),
    (WITHDRAWALS, "Send money from a balance. A callback reports the outcome."),
    (REFUNDS, "Give a payer money back. Automatic refunds are listed, too."),
    (WHITELIST, "Addresses that a merchant keeps for withdrawals."),
    (SALES, "Sell by a link, without a shop."),
    (COUNTERS, "Sell to people who stand before you, on a phone without an account."),
    (CALLBACKS, "What was sent to the endpoints of a merchant, and how they answered."),
    (VALIDATION, "Check addresses before sending money. Public."),
    (MARKET, "What can be deposited and withdrawn, and at what price. Public."),
    (CHECKOUT, "What the hosted checkout page uses."),
    (OPERATIONS, "For monitoring and development."),
    (SANDBOX, "Control the simulated chains. Only with `--sandbox`; no credentials."),
];
