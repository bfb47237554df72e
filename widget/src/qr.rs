//! The QR code as the path of an SVG.

use fast_qr::{ECL, QRBuilder};

/// Modules of white around the code, as ISO/IEC 18004 asks.
pub const QUIET_ZONE: usize = 4;

/// A QR code as one path of dark modules, in units of modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrPath {
    /// The side of the whole square with its quiet zone.
    pub side: usize,
    pub path: String,
}

impl QrPath {
    /// The drawing, as a hidden SVG: what stands around it says what it is.
    pub fn to_svg(&self) -> String {
        let side = self.side.to_string();
        let open = "<svg xmlns=\"http://www.w3.org/2000/svg\" shape-rendering=\"crispEdges\" aria-hidden=\"true\" viewBox=\"0 0 ";
        [open, &side, " ", &side, "\"><path fill=\"#000\" d=\"", &self.path, "\"/></svg>"].concat()
    }
}

/// The code of `payload` at error correction level M; `None` when it is too long for any code.
pub fn draw(payload: &str) -> Option<QrPath> {
    let code = QRBuilder::new(payload).ecl(ECL::M).build().ok()?;
    let mut path = String::with_capacity(code.size * code.size * 4);
    for y in 0..code.size {
        let row = &code[y];
        let mut x = 0;
        while x < code.size {
            let run = row[x..code.size].iter().take_while(|module| module.value()).count();
            if run > 0 {
                append(&mut path, "M", x + QUIET_ZONE);
                append(&mut path, " ", y + QUIET_ZONE);
                append(&mut path, "h", run);
                append(&mut path, "v1h-", run);
                path.push('z');
            }
            x += run.max(1);
        }
    }
    Some(QrPath { side: code.size + 2 * QUIET_ZONE, path })
}

fn append(path: &mut String, command: &str, value: usize) {
    path.push_str(command);
    path.push_str(&value.to_string());
}
