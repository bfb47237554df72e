//! Formats money and times with the browser's `Intl`.

use js_sys::{Array, Date, Intl, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::present::Format;
use crate::words::PluralForm;

pub(super) struct Browser {
    locale: &'static str,
}

impl Browser {
    pub(super) fn new(locale: &'static str) -> Self {
        Self { locale }
    }

    fn format(&self, date: &Date, style: &[(&str, &str)]) -> String {
        String::from(date.to_locale_string(self.locale, options(style).unchecked_ref()))
    }
}

impl Format for Browser {
    fn money(&self, amount: &str, currency: &str) -> String {
        let plain = || [amount, "\u{a0}", currency].concat();
        // `Intl` throws unless the code has three letters.
        if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return plain();
        }
        let locales = Array::of1(&self.locale.into());
        let format =
            Intl::NumberFormat::new(&locales, &options(&[("style", "currency"), ("currency", currency)]));
        // As text: newer engines then format every digit exactly.
        let money = format.format().call1(&JsValue::UNDEFINED, &amount.into());
        money.ok().and_then(|money| money.as_string()).unwrap_or_else(plain)
    }

    fn plural(&self, count: u64) -> PluralForm {
        let rules = Intl::PluralRules::new(&Array::of1(&self.locale.into()), &Object::new());
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        match &*String::from(rules.select(f64::from(count))) {
            "one" => PluralForm::One,
            "few" => PluralForm::Few,
            "many" => PluralForm::Many,
            _ => PluralForm::Other,
        }
    }

    fn time(&self, unix_seconds: u64) -> String {
        self.format(&date(unix_seconds), &[("dateStyle", "medium"), ("timeStyle", "short")])
    }

    fn until(&self, unix_seconds: u64, now: u64) -> String {
        let end = date(unix_seconds);
        if end.to_date_string() == date(now).to_date_string() {
            self.format(&end, &[("timeStyle", "short")])
        } else {
            self.time(unix_seconds)
        }
    }
}

fn date(unix_seconds: u64) -> Date {
    let seconds = u32::try_from(unix_seconds).unwrap_or(u32::MAX);
    Date::new(&(f64::from(seconds) * 1_000.0).into())
}

fn options(entries: &[(&str, &str)]) -> Object {
    let options = Object::new();
    for (key, value) in entries {
        let _ = Reflect::set(&options, &(*key).into(), &(*value).into());
    }
    options
}
