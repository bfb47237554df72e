import { useState } from "preact/hooks";
import { gateway } from "../../www/desk/api";
import { Choice, Field } from "../../www/desk/components/fields";
import { Fold } from "../../www/desk/components/panel";
import { useDesk } from "../../www/desk/use";
import { ActForm } from "./acts";
import { choose } from "./payment";
import { post } from "./requests";
import { pairLabel, useCurrencies } from "./world";

const TYPES: [string, string][] = [
  ["ONE_TIME", "One-time"],
  ["REUSABLE", "Reusable"],
];

const nextOrder = (): string => `order-${Date.now().toString(36)}`;

/** Creates a payment of the business that the desk shows, chooses for the payer if a currency is given, and opens it. */
export function NewPayment() {
  const { business } = useDesk();
  const [order, setOrder] = useState(nextOrder);
  const currencies = useCurrencies();
  const pairs = currencies.flatMap(({ currency, networks }) =>
    networks.filter(({ deposit }) => deposit).map(({ network }): [string, string] => [`${currency}/${network}`, pairLabel(currency, network)]),
  );
  const create = async ({ pair, ...fields }: Record<string, string>) => {
    const body = { businessId: business, locale: "en-US", ...fields };
    const { paymentInfo } = await post<{ paymentInfo: { paymentId: string } }>(gateway("/api/v1/payments"), body);
    if (pair) await choose(paymentInfo.paymentId, pair);
    setOrder(nextOrder());
    location.hash = `#/payments/${paymentInfo.paymentId}`;
    return "The payment was created";
  };
  return (
    <section class="panel" data-part="new-payment">
      <Fold key={order} title="New payment">
        <ActForm act={create} button="Create" part="new">
          {(errorOf) => (
            <div class="grid narrow">
              <Field label="Amount" name="displayAmount" initial="25.00" inputmode="decimal" required error={errorOf("displayAmount")} />
              <Field label="Currency" name="displayCurrency" initial="EUR" required error={errorOf("displayCurrency")} />
              <Field label="Order" name="clientPaymentId" initial={order} required error={errorOf("clientPaymentId")} />
              <Choice label="Paid with" name="pair" options={[["", "The payer chooses"], ...pairs]} error={errorOf("depositCurrency")} />
              <Choice label="Type" name="type" options={TYPES} error={errorOf("type")} />
            </div>
          )}
        </ActForm>
      </Fold>
    </section>
  );
}
