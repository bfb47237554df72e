//! The languages of the hosted checkout: one row each. API, widget and tests take theirs from here.

/// Calls the macro `$with` with a row per language: the file of its texts in the widget, its BCP 47 tag, and its own name.
#[macro_export]
macro_rules! languages {
    ($with:ident) => {
        $with! {
            en_us = "en-US", "English";
            de_de = "de-DE", "Deutsch";
            tr_tr = "tr-TR", "Türkçe";
            es_es = "es-ES", "Español";
            fr_fr = "fr-FR", "Français";
            ru_ru = "ru-RU", "Русский";
            pt_pt = "pt-PT", "Português";
            ja_jp = "ja-JP", "日本語";
        }
    };
}

macro_rules! tags {
    ($($file:ident = $tag:literal, $name:literal;)+) => {
        /// The locales of the hosted checkout.
        pub const LOCALES: [&str; [$($tag),+].len()] = [$($tag),+];
    };
}

languages!(tags);
