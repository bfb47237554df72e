//! Every QR code, scanned by an independent decoder.

use checkout_core::network::TagRule;
use checkout_core::pair::EVERY_PAIR;
use checkout_core::tag::Tag;
use checkout_core::{Amount, Pair};
use checkout_widget::qr::{QUIET_ZONE, QrPath, draw};
use checkout_widget::quote::{Quote, code};
use checkout_widget::screen::QrMode;

/// The longest amount and tag that a pair can have.
fn longest(pair: &'static Pair) -> Quote {
    let network = pair.network;
    let tag = if network.spec().tag == TagRule::None { "" } else { "4294967295" };
    let amount = format!("98765.{}", &"123456789012345678"[..usize::from(pair.decimals)]);
    Quote {
        pair,
        address: network.spec().example.to_owned(),
        tag: Tag::parse(network, tag, None).expect("a tag"),
        amount: Amount::parse(&amount, pair.decimals).expect("an amount"),
        no_link: false,
    }
}

/// The pixels of a code, five per module.
fn read(drawing: &QrPath) -> String {
    const PIXELS: usize = 5;
    let side = usize::try_from(drawing.side).expect("a size");
    let mut dark = vec![false; side * side];
    for run in drawing.path.split('z').filter(|run| !run.is_empty()) {
        let mut numbers = run.split(['M', ' ', 'h', 'v']).filter(|part| !part.is_empty());
        let mut number = || numbers.next().and_then(|part| part.parse::<usize>().ok()).expect("a number");
        let (x, y, length) = (number(), number(), number());
        dark[y * side + x..][..length].fill(true);
    }
    let zone = usize::try_from(QUIET_ZONE).expect("a size");
    let inside = zone..side - zone;
    for (at, _) in dark.iter().enumerate().filter(|(_, dark)| **dark) {
        assert!(inside.contains(&(at % side)) && inside.contains(&(at / side)), "the quiet zone is light");
    }
    let pixel = |x: usize, y: usize| if dark[y / PIXELS * side + x / PIXELS] { 0 } else { 255 };
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(side * PIXELS, side * PIXELS, pixel);
    let grids = picture.detect_grids();
    let [grid] = grids.as_slice() else { panic!("{} codes", grids.len()) };
    grid.decode().expect("a code that is found can be read").1
}

#[test]
fn every_pair_is_read_with_the_amount_and_with_the_address_only() {
    let pairs: Vec<_> = EVERY_PAIR.iter().filter(|pair| pair.deposit).collect();
    assert!(!pairs.is_empty());
    for pair in pairs {
        let quote = longest(pair);
        let at = format!("{} on {}", pair.currency.code(), pair.network.code());
        let codes =
            [None, Some(QrMode::Amount), Some(QrMode::Address)].map(|mode| code(&quote, quote.amount, mode));
        for code in &codes {
            assert_eq!(read(&draw(&code.payload).expect("not too long")), code.payload, "{at}");
        }
        let [_, full, plain] = codes;
        assert_eq!(full.can_switch, full.payload != plain.payload, "{at}");
        let amount = quote.amount.to_text(pair.decimals);
        let atoms = quote.amount.atoms().to_string();
        let says = |payload: &str| payload.contains(&amount) || payload.contains(&atoms);
        assert!(!says(&plain.payload), "{at}: {}", plain.payload);
        assert_eq!(says(&full.payload), full.can_switch, "{at}: {}", full.payload);
    }
}

#[test]
fn the_svg_has_its_own_white_background() {
    let drawing = draw("bitcoin:abc").expect("not too long");
    let svg = drawing.to_svg();
    let ground = format!("<path fill=\"#fff\" d=\"M0 0h{0}v{0}H0z\"/>", drawing.side);
    assert!(svg.contains(&ground), "{svg}");
    assert!(svg.find(&ground) < svg.find("fill=\"#000\""), "the modules are above it");
}
