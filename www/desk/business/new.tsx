import type { CreatedBusiness } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { useDesk } from "../use";
import { BusinessForm } from "./form";
import { ShownOnce } from "./shown_once";

/** A form for a new business, and its credentials. */
export function NewBusiness() {
  const { refresh } = useDesk();
  const [made, setMade] = useState<CreatedBusiness | null>(null);
  const open = () => {
    location.hash = `#/businesses/${made!.business.id}`;
  };
  const create = async (settings: object) => {
    setMade(await post<CreatedBusiness>(gateway("/api/v1/businesses"), settings));
    tell("The business is created");
    await refresh();
  };
  return (
    <section class="panel" aria-label="New business">
      <h1 class="title">New business</h1>
      <BusinessForm
        button="Create it"
        submit={create}
        cancel={() => {
          location.hash = "#/businesses";
        }}
      />
      {made && <ShownOnce values={{ Token: made.token, "Callback secret": made.callbackSecret }} close={open} />}
    </section>
  );
}
