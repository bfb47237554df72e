// Forms for a new sale link and a new counter.
import type { CreatedCounter } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { ShownOnce } from "../business/shown_once";
import { Ask } from "../components/ask";
import { Choice, Field } from "../components/fields";
import { filled } from "../components/form";
import { reloadAll, useDesk } from "../use";

const TYPES: [string, string][] = [
  ["REUSABLE", "As often as somebody pays"],
  ["ONE_TIME", "Once"],
];

export function NewSaleLink() {
  const { business: businessId } = useDesk();
  // One of each link: a second press of the button makes no second one.
  const [id, setId] = useState(() => crypto.randomUUID());
  const create = async ({ stock = "", ...values }: Record<string, string>) => {
    const pieces = stock.trim() === "" ? {} : { stock: Number(stock) };
    await post(gateway("/api/v1/sale-links"), { businessId, clientLinkId: `desk-${id}`, ...filled(values), ...pieces });
    setId(crypto.randomUUID());
    tell("The link is created");
    reloadAll();
  };
  return (
    <Ask label="New link" title="New sale link" button="Create it" part="sale-link-new" act={create}>
      {(errorOf) => {
        const field = (label: string, name: string, hint?: string, inputmode?: "decimal" | "numeric" | "url") => (
          <Field label={label} name={name} error={errorOf(name)} hint={hint} inputmode={inputmode} />
        );
        return (
          <>
            {field("Title", "title", "What is sold, as your buyer reads it")}
            <Field label="Currency" name="displayCurrency" initial="EUR" error={errorOf("displayCurrency")} />
            {field("Price", "displayAmount", "Empty: your buyer types an amount between these two", "decimal")}
            {field("At least", "minAmount", undefined, "decimal")}
            {field("At most", "maxAmount", undefined, "decimal")}
            <Choice label="Sells" name="type" options={TYPES} initial="REUSABLE" error={errorOf("type")} />
            {field("Stock", "stock", "Empty: no limit", "numeric")}
            {field("Address", "slug", "green-tea for /buy/green-tea. Empty: one that nobody guesses")}
            {field("Afterwards to", "redirectUrl", "An https page of yours", "url")}
          </>
        );
      }}
    </Ask>
  );
}

export function NewCounter() {
  const { business: businessId } = useDesk();
  const [made, setMade] = useState<CreatedCounter | null>(null);
  const create = async (values: Record<string, string>) => {
    setMade(await post<CreatedCounter>(gateway("/api/v1/counters"), { businessId, ...filled(values) }));
    tell("The counter is created");
    reloadAll();
  };
  return (
    <>
      <Ask label="New counter" title="New counter" button="Create it" part="counter-new" act={create}>
        {(errorOf) => (
          <>
            <Field label="Name" name="title" error={errorOf("title")} hint="Market stall" />
            <Field label="Currency" name="displayCurrency" initial="EUR" error={errorOf("displayCurrency")} />
            <Field label="At most, for one sale" name="maxAmount" error={errorOf("maxAmount")} inputmode="decimal" />
          </>
        )}
      </Ask>
      {made && (
        <ShownOnce
          values={{ Link: made.url }}
          caution="It is shown once. Open it on the phone of the counter: whoever has it can sell there, until you withdraw it."
          close={() => setMade(null)}
        />
      )}
    </>
  );
}
