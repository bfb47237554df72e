//! The chapters of the document.

pub(in crate::http) const PAYMENTS: &str = "Payments";
pub(in crate::http) const BUSINESSES: &str = "Businesses";
pub(in crate::http) const WITHDRAWALS: &str = "Withdrawals";
pub(in crate::http) const WHITELIST: &str = "Whitelist";
pub(in crate::http) const VALIDATION: &str = "Address validation";
pub(in crate::http) const MARKET: &str = "Currencies, rates and fees";
pub(in crate::http) const CHECKOUT: &str = "Hosted checkout";
pub(in crate::http) const OPERATIONS: &str = "Operations";
pub(in crate::http) const SANDBOX: &str = "Sandbox";

/// Name and description, in the order of the document.
pub(super) const ALL: [(&str, &str); 9] = [
    (PAYMENTS, "Create payments and follow them until they are paid."),
    (BUSINESSES, "The settings of a business."),
    (WITHDRAWALS, "Send money from a balance. A callback reports the outcome."),
    (WHITELIST, "Addresses that a merchant keeps for withdrawals."),
    (VALIDATION, "Check addresses before sending money. Public."),
    (MARKET, "What can be deposited and withdrawn, and at what price. Public."),
    (CHECKOUT, "What the hosted checkout page uses."),
    (OPERATIONS, "For monitoring and development."),
    (SANDBOX, "Control the simulated chains. Only with `--sandbox`; no credentials."),
];
