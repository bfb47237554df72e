//! What a business sells by a link.

pub mod create_sale_link;
pub mod sell;
pub mod withdraw_sale_link;
