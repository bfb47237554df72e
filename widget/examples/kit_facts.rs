//! Prints what the static kit needs of the widget, as JSON: the texts of each language, the pairs of the interface, and the
//! page before anything is known.
//!
//! ```text
//! {"title": "…", "main": "<main …", "languages": {"en-US": {"dir": "ltr", "texts": […]}}, "contact": 240, "pairs": ["BTC.BTC", …]}
//! ```

use std::io::{self, Write as _};

use checkout_core::pair;
use checkout_widget::page::Page;
use checkout_widget::page_data::LanguageData;
use checkout_widget::words::{LANGUAGES, Translation, find};
use checkout_widget::{present, render};
use serde_json::{Map, Value, json};

fn main() -> io::Result<()> {
    let languages = LANGUAGES.map(|(tag, _)| (tag.to_owned(), language(find(&[Some(tag)]))));
    let pairs = pair::PAIRS.iter().filter(|pair| pair.deposit);
    let pairs: Vec<String> =
        pairs.map(|pair| [pair.currency.code(), ".", pair.network.code()].concat()).collect();
    let english = find(&[]);
    let contact = english.words.write().iter().position(|text| *text == english.words.help.contact);
    let model = present(&Page::new(1), &english.language(), english);
    let facts = json!({
        "title": model.page_title,
        "languages": Map::from_iter(languages),
        // Which of the texts names the link to the merchant's help.
        "contact": contact.expect("it is one of the texts"),
        "pairs": pairs,
        "main": render::render(model),
    });
    io::stdout().write_all(facts.to_string().as_bytes())
}

fn language(translation: &'static Translation) -> Value {
    json!({"dir": translation.dir.code(), "texts": LanguageData::of(translation, false).texts})
}
