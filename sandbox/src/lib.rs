//! The simulated world for developers: a control API, a console, a demo shop and rehearsals. No real money is involved.

pub mod console;
pub mod http;
pub mod rehearsal;
pub mod shop;
