//! Sale links, and the page on which people buy.

pub mod buy_page;
pub mod create_sale_link;
pub mod list_sale_links;
pub mod withdraw_sale_link;
