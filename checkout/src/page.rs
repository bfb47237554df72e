//! Renders the hosted page with the widget's components.

use checkout_domain::ports::page::{Drawing, PageLookup, PageRenderer, PageRequest};
use checkout_widget::page_data;
use checkout_widget::page_url::PageUrl;
use checkout_widget::render;

pub(crate) struct WidgetPage;

impl PageRenderer for WidgetPage {
    fn draw(&self, request: PageRequest) -> Drawing {
        let PageRequest { path, query, framed, origin, found, now } = request;
        let found = match found {
            PageLookup::View(view) => page_data::Found::View(view),
            PageLookup::Nothing => page_data::Found::Nothing,
            PageLookup::Unavailable => page_data::Found::Unavailable,
        };
        let secure = origin.starts_with("https:");
        let url = PageUrl { path, query, framed, secure, origin, ..PageUrl::default() };
        let drawing = render::draw(url, found, now);
        Drawing {
            lang: drawing.lang.to_owned(),
            dir: drawing.dir.to_owned(),
            theme: drawing.theme.to_owned(),
            title: drawing.title,
            main: drawing.main,
            data: drawing.data,
        }
    }
}
