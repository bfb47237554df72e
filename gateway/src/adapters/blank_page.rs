//! A page without a drawing: its script asks the API for all it shows.

use crate::ports::page::{Drawing, PageRenderer, PageRequest};

pub struct BlankPage;

impl PageRenderer for BlankPage {
    fn draw(&self, _: PageRequest) -> Drawing {
        let text = str::to_owned;
        Drawing {
            lang: text("en"),
            theme: text("AUTO"),
            title: text("Checkout"),
            data: text("null"),
            ..Drawing::default()
        }
    }
}
