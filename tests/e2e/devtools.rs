//! Journeys on the DevTools protocol, which Chromium alone has: screens and colours of other devices, no network, no script,
//! the console, a wrong clock.

mod brand;
mod browser_wallet;
mod buy_pages;
mod counter_pages;
mod desk;
mod desk_businesses;
mod desk_decides;
mod desk_keyboard;
mod desk_sales;
mod drawer;
mod drawer_chains;
mod drawer_screens;
mod every_screen;
mod forged_messages_to_the_page;
mod forged_messages_to_the_shop;
mod frozen;
mod harness;
mod hostile_frames;
mod layout;
mod offline;
mod origin_not_allowed;
mod phone;
mod policy;
mod print_and_motion;
mod qr_code;
mod reference_page;
mod shop_events;
mod slow_and_hidden;
mod themes;
mod without_script;
mod wrong_clock;
