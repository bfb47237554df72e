//! What the documentation says, done as a reader does it: the files and commands of the start page with a browser, and every
//! sample of the reference.

mod guide;
mod reader;
mod reference;
mod start;
