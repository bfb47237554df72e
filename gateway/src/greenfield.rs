//! What a shop sees that speaks BTCPay Server's Greenfield API: a store is a business, an invoice a payment. Written from the published
//! API document and from what plugins send.

pub mod delivery;
pub mod invoice;
pub mod invoice_id;
pub mod invoice_status;
pub mod kept;
pub mod methods;
