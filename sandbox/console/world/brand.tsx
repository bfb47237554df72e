import { useState } from "preact/hooks";
import { removeBrand, setBrand } from "../actions/world";
import { ActionButton } from "../components/button";
import { Field, Form, Input } from "../components/form";
import { Icon } from "../../../www/desk/components/icon";
import { Note, Panel } from "../../../www/desk/components/panel";

/** A form for the colour and the logo of the business on the checkout. What is left empty stays as it is. */
export function Brand() {
  const [logo, setLogo] = useState<File>();
  return (
    <Panel title="Brand">
      <Note>Shown on the checkout of every payment.</Note>
      <Form class="grid" name="brand" submit={({ brandColor = "" }) => setBrand(brandColor, logo)}>
        <Field label="Colour" hint="Such as #1b6e4b. Its shades keep their contrast in both themes.">
          <Input name="brandColor" placeholder="#rrggbb" part="brand-color" />
        </Field>
        <Field label="Logo" hint="PNG, WebP or JPEG, at most 32 KB.">
          <input
            type="file"
            accept="image/png,image/webp,image/jpeg"
            data-part="brand-logo"
            onChange={({ currentTarget }) => setLogo(currentTarget.files?.[0])}
          />
        </Field>
        <button class="act plain" data-part="set-brand">
          <Icon name="check" />
          Set the brand
        </button>
        <ActionButton name="brand" action={removeBrand} icon="cross" part="remove-brand">
          Remove the brand
        </ActionButton>
      </Form>
    </Panel>
  );
}
