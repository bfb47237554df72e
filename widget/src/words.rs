//! All texts for payers, per language.
//!
//! A language is one file with one [`Translation`]; a missing text does not compile. Texts with values are
//! templates (`{amount}`) for [`fill`]; texts with counts are [`Plural`]s.
//!
//! The server has all languages. The page receives the texts of its language in [`crate::page_data`], so that
//! the module contains none.

#[cfg(feature = "ssr")]
mod catalogue;
mod language;
mod plural;
#[cfg(feature = "ssr")]
mod pseudo;
mod template;
mod texts;

#[cfg(feature = "ssr")]
mod de_de;
#[cfg(feature = "ssr")]
mod en_us;
#[cfg(feature = "ssr")]
mod es_es;
#[cfg(feature = "ssr")]
mod fr_fr;
#[cfg(feature = "ssr")]
mod ja_jp;
#[cfg(feature = "ssr")]
mod pt_pt;
#[cfg(feature = "ssr")]
mod ru_ru;
#[cfg(feature = "ssr")]
mod tr_tr;

#[cfg(feature = "ssr")]
pub use catalogue::{Dates, Money, Translation, find};
pub use language::{Dir, LANGUAGES, Language};
pub use plural::{Plural, PluralForm};
#[cfg(feature = "ssr")]
pub use pseudo::PSEUDO;
pub use template::{Piece, fill, pieces};
pub use texts::{
    ChooseWords, CopyWords, DoneWords, ExpiredWords, HelpWords, NoticeWords, PageWords, PayWords,
    ProblemWords, RateWords, RefundWords, TagName, TagWords, TimeWords, TransferWords, Words,
};
