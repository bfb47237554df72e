//! The sections of a WebAssembly module in which names meet JavaScript: imports and exports.
//!
//! Format: <https://webassembly.github.io/spec/core/binary/modules.html>

use crate::Outcome;

const HEADER: &[u8] = b"\0asm\x01\0\0\0";
const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const EXPORTS: u8 = 7;

/// The names that the module imports, in order.
pub(crate) fn imports(wasm: &[u8]) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    map_imports(wasm, "", |name| {
        names.push(name.to_owned());
        name.to_owned()
    })?;
    Ok(names)
}

/// The module with its imports under the names that `rename` gives, all from `from`.
pub(crate) fn map_imports(
    wasm: &[u8],
    from: &str,
    mut rename: impl FnMut(&str) -> String,
) -> Outcome<Vec<u8>> {
    map_section(wasm, IMPORTS, |reader, entries| {
        reader.name()?;
        let name = rename(reader.name()?);
        let description = reader.import_description()?;
        entries.push([&named(from), &named(&name), description].concat());
        Some(())
    })
}

/// The module with its exports under the names that `rename` gives, and without those for which it gives none.
pub(crate) fn map_exports(wasm: &[u8], mut rename: impl FnMut(&str) -> Option<String>) -> Outcome<Vec<u8>> {
    map_section(wasm, EXPORTS, |reader, entries| {
        let name = rename(reader.name()?);
        let description = reader.export_description()?;
        entries.extend(name.map(|name| [&named(&name), description].concat()));
        Some(())
    })
}

/// The module without what only tools read: names, features, versions.
pub(crate) fn without_custom_sections(wasm: &[u8]) -> Outcome<Vec<u8>> {
    map_sections(wasm, |id, _| Some(if id == CUSTOM { Change::Drop } else { Change::Keep }))
}

/// Reads every entry of one section and writes the entries that come of them; all else stays.
fn map_section(
    wasm: &[u8],
    section: u8,
    mut entry: impl FnMut(&mut Reader<'_>, &mut Vec<Vec<u8>>) -> Option<()>,
) -> Outcome<Vec<u8>> {
    map_sections(wasm, |id, body| {
        if id != section {
            return Some(Change::Keep);
        }
        let mut body = Reader(body);
        let mut entries = Vec::new();
        for _ in 0..body.number()? {
            entry(&mut body, &mut entries)?;
        }
        Some(Change::Replace([number(entries.len()), entries.concat()].concat()))
    })
}

/// What becomes of a section.
enum Change {
    Drop,
    Keep,
    Replace(Vec<u8>),
}

fn map_sections(wasm: &[u8], mut change: impl FnMut(u8, &[u8]) -> Option<Change>) -> Outcome<Vec<u8>> {
    let mut map = || -> Option<Vec<u8>> {
        let mut rest = Reader(wasm.strip_prefix(HEADER)?);
        let mut mapped = HEADER.to_vec();
        while !rest.0.is_empty() {
            let id = rest.byte()?;
            let length = rest.number()?;
            let body = rest.take(length)?;
            let content = match change(id, body)? {
                Change::Drop => continue,
                Change::Keep => body.to_vec(),
                Change::Replace(content) => content,
            };
            mapped.extend([vec![id], number(content.len()), content].concat());
        }
        Some(mapped)
    };
    map().ok_or_else(|| "The widget's module is not as xtask/src/site/module.rs expects it.".to_owned())
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Unsigned LEB128 of at most 32 bits.
    fn number(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn name(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn limits(&mut self) -> Option<()> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 == 1 {
            self.number()?;
        }
        Some(())
    }

    fn import_description(&mut self) -> Option<&'a [u8]> {
        let before = self.0;
        match self.byte()? {
            0 => self.number().map(|_| ())?,
            1 => self.byte().and_then(|_| self.limits())?,
            2 => self.limits()?,
            3 => self.take(2).map(|_| ())?,
            4 => self.byte().and_then(|_| self.number()).map(|_| ())?,
            _ => return None,
        }
        Some(&before[..before.len() - self.0.len()])
    }

    fn export_description(&mut self) -> Option<&'a [u8]> {
        let before = self.0;
        self.byte()?;
        self.number()?;
        Some(&before[..before.len() - self.0.len()])
    }
}

fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = value.to_le_bytes()[0] & 0x7f;
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

fn named(name: &str) -> Vec<u8> {
    [number(name.len()), name.as_bytes().to_vec()].concat()
}

#[cfg(test)]
pub(super) mod tests {
    use super::{HEADER, Reader, imports, map_exports, map_imports, named, number, without_custom_sections};

    /// A module that imports these functions and exports these, with a custom section at its end.
    pub(crate) fn module(imports: &[&str], exports: &[&str]) -> Vec<u8> {
        let section = |id: u8, count: usize, entries: Vec<u8>| {
            let content = [number(count), entries].concat();
            [vec![id], number(content.len()), content].concat()
        };
        let import = |name: &&str| [named("./long_bg.js"), named(name), vec![0, 0]].concat();
        let export = |name: &&str| [named(name), vec![0, 1]].concat();
        [
            HEADER.to_vec(),
            section(2, imports.len(), imports.iter().flat_map(import).collect()),
            section(7, exports.len(), exports.iter().flat_map(export).collect()),
            section(0, 1, b"custom".to_vec()),
        ]
        .concat()
    }

    #[test]
    fn imports_get_other_names() {
        let before = module(&["one", "two"], &["x"]);
        assert_eq!(imports(&before).expect("well formed"), ["one", "two"]);
        let after = map_imports(&before, "a", |name| name[..1].to_owned()).expect("well formed");
        assert_eq!(imports(&after).expect("well formed"), ["o", "t"]);
        assert!(after.windows(8).any(|bytes| bytes == b"\x01a\x01o\0\0\x01a"));
        assert!(after.ends_with(b"custom"));
    }

    #[test]
    fn exports_are_renamed_and_dropped() {
        let before = module(&[], &["keep", "drop", "memory"]);
        let after = map_exports(&before, |name| match name {
            "drop" => None,
            "keep" => Some("k".to_owned()),
            other => Some(other.to_owned()),
        });
        assert_eq!(after.expect("well formed"), module(&[], &["k", "memory"]));
    }

    #[test]
    fn custom_sections_go_and_the_others_stay() {
        let whole = module(&["one"], &["x"]);
        let cut = without_custom_sections(&whole).expect("well formed");
        assert_eq!(cut, whole[..whole.len() - 9]);
        assert_eq!(without_custom_sections(&cut).expect("well formed"), cut);
    }

    #[test]
    fn what_is_not_a_module_is_an_error() {
        let whole = module(&["one"], &["x"]);
        for bytes in
            [&b""[..], b"\0asm\x02\0\0\0", &whole[..whole.len() - 1], &[HEADER, &[2, 3, 1, 9]].concat()]
        {
            assert!(imports(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn numbers_in_both_directions() {
        for (value, bytes) in
            [(0, &[0][..]), (127, &[127]), (128, &[0x80, 1]), (624_485, &[0xe5, 0x8e, 0x26])]
        {
            assert_eq!(number(value), bytes);
            assert_eq!(Reader(bytes).number(), Some(value));
        }
        assert_eq!(Reader(&[0x80]).number(), None);
    }
}
