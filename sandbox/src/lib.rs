//! The simulated world for developers: a control API, a console and a demo shop. No real money is involved.

pub mod console;
pub mod http;
pub mod shop;
