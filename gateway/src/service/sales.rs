//! What a business sells by a link or at a counter.

pub mod counters;
pub mod create_sale_link;
mod press;
pub mod sell;
pub mod sell_at_counter;
pub mod withdraw_sale_link;
