//! Counters: how a merchant keeps them, and what their page asks for with the secret of its link.

pub mod counter_page;
pub mod counter_sales;
pub mod manage_counters;
pub mod own_counter;
