//! The ways to show the checkout on a merchant's page. What a form shows as code is its markup on the page.

pub(super) struct Form {
    /// In the page's URL.
    pub(super) name: &'static str,
    title: &'static str,
    pub(super) meaning: &'static str,
    /// Shown until the first event.
    pub(super) silent: &'static str,
    markup: &'static str,
}

const WAITING: &str = "None yet.";

/// The last one needs the kit.
static FORMS: [Form; 6] = [
    Form {
        name: "frame",
        title: "Frame",
        meaning: "In the flow of your page, as high as its content.",
        silent: WAITING,
        markup: include_str!("../../../www/shop/forms/frame.html"),
    },
    Form {
        name: "modal",
        title: "Dialog",
        meaning: "A dialog over your page, which opens at once.",
        silent: WAITING,
        markup: include_str!("../../../www/shop/forms/modal.html"),
    },
    Form {
        name: "button",
        title: "Button",
        meaning: "A dialog that your own button opens. Nothing of the checkout loads before.",
        silent: WAITING,
        markup: include_str!("../../../www/shop/forms/button.html"),
    },
    Form {
        name: "iframe",
        title: "Plain iframe",
        meaning: "Without a script from elsewhere. Your page sets the height; it can listen to the messages of the checkout, as this page does.",
        silent: WAITING,
        markup: include_str!("../../../www/shop/forms/iframe.html"),
    },
    Form {
        name: "link",
        title: "Link",
        meaning: "The checkout's own page. Customers come back to your redirectUrl when they have paid. It works in e-mails and messages, too.",
        silent: "A link raises no events.",
        markup: include_str!("../../../www/shop/forms/link.html"),
    },
    Form {
        name: "kit",
        title: "Your own page",
        meaning: "The checkout as static files on your own web server, here the shop's: it asks the gateway's API, or any server of the payment interface.",
        silent: "A link raises no events.",
        markup: include_str!("../../../www/shop/forms/kit.html"),
    },
];

/// The forms that this shop has.
pub(super) fn shown(has_kit: bool) -> &'static [Form] {
    if has_kit { &FORMS } else { &FORMS[..FORMS.len() - 1] }
}

impl Form {
    /// The form of this name; the first one for an unknown name.
    pub(super) fn named(name: &str, forms: &'static [Self]) -> &'static Self {
        forms.iter().find(|form| form.name == name).unwrap_or(&forms[0])
    }

    /// A template with the placeholders `gateway`, `payment-url` and `own-url`.
    pub(super) fn markup(&self) -> &'static str {
        self.markup
    }

    /// The markup as a merchant writes it.
    pub(super) fn code(&self, gateway: &str) -> String {
        self.markup
            .replace("{{gateway}}", gateway)
            .replace("{{payment-url}}", "{paymentUrl}")
            .replace("{{own-url}}", "/pay/?paymentId={paymentId}&sessionToken={sessionToken}")
            .trim_end()
            .to_owned()
    }

    /// Links to all forms, of which this one is open; a template without placeholders.
    pub(super) fn links(&self, forms: &[Self]) -> String {
        forms.iter().map(|form| form.link(form.name == self.name)).collect()
    }

    fn link(&self, is_open: bool) -> String {
        let current = if is_open { " aria-current=\"page\"" } else { "" };
        let (name, title) = (self.name, self.title);
        format!(
            "<li><a href=\"?as={name}\" data-part=\"form\" data-value=\"{name}\"{current}>{title}</a></li>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_a_placeholder_for_the_payment() {
        assert_eq!(
            Form::named("button", shown(false)).code("https://pay.example"),
            "<script type=\"module\" src=\"https://pay.example/embed.js\"></script>\n\
             <button class=\"buy\" id=\"pay\">Pay with crypto</button>\n\
             <crypto-checkout payment-url=\"{paymentUrl}\" mode=\"modal\" open-on=\"pay\"></crypto-checkout>"
        );
    }

    #[test]
    fn one_form_is_open() {
        for forms in [shown(false), shown(true)] {
            for form in forms {
                assert_eq!(Form::named(form.name, forms).name, form.name);
                assert_eq!(form.links(forms).matches("aria-current").count(), 1);
            }
            assert_eq!(Form::named("none", forms).name, "frame");
        }
        assert_eq!(Form::named("kit", shown(true)).name, "kit");
        assert_eq!(Form::named("kit", shown(false)).name, "frame");
    }
}
