//! The simulated world for developers: a control API, a drawer of the desk for it, a demo shop and rehearsals. No real money is
//! involved.

pub mod http;
pub mod inbox;
pub mod overview;
pub mod rehearsal;
pub mod shop;
