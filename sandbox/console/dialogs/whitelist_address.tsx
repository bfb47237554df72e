import { Field, Input, Select, errorOf } from "../components/form";
import { findPair, pairOptions } from "../currencies";
import type { Dialog } from "../store";
import { AddressField, TagField } from "./address_field";

export function WhitelistAddress({ dialog }: { dialog: Dialog }) {
  const options = pairOptions("withdrawal");
  const pair = findPair(dialog.values.pair ?? options[0]?.[0] ?? "");
  return (
    <>
      <Field label="Currency and network" error={errorOf("currency", "network")}>
        <Select name="pair" options={options} autofocus part="whitelist-pair" error={errorOf("currency", "network")} />
      </Field>
      <Field label="Your id" error={errorOf("clientAddressId")} hint="Unique. The same request again changes nothing.">
        <Input
          name="clientAddressId"
          defaultValue={dialog.suggestedId}
          required
          part="whitelist-id"
          error={errorOf("clientAddressId")}
        />
      </Field>
      <AddressField key="address" name="address" label="Address" pair={pair} part="whitelist-address" />
      <TagField key="tag" pair={pair} hint="If the recipient has one." part="whitelist-tag" />
      <Field key="label" label="Label" error={errorOf("label")} hint="A name for you.">
        <Input name="label" part="whitelist-label" error={errorOf("label")} />
      </Field>
    </>
  );
}
