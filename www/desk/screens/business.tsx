// One business: its settings, its endpoints, its credentials.
import type { Business as BusinessInfo } from "gateway-api";
import { useState } from "preact/hooks";
import { BusinessForm } from "../business/form";
import { Rotations } from "../business/rotations";
import { Settings } from "../business/settings";
import { Endpoints } from "../business/endpoints";
import { gateway, patch } from "../api";
import { tell } from "../announce";
import { Ask } from "../components/ask";
import { Failure } from "../components/list";
import { BackLink, Badge, Loading, Panel } from "../components/panel";
import { useDesk, useIsHead, useLoad } from "../use";
import { NewBusiness } from "../business/new";
import { stateOf } from "./businesses";

export function Business({ id }: { id: string }) {
  return (
    <>
      <BackLink href="#/businesses">Businesses</BackLink>
      {id === "new" ? <NewBusiness /> : <Known id={id} />}
    </>
  );
}

function Known({ id }: { id: string }) {
  const { data: business, error, reload } = useLoad<BusinessInfo>(gateway(`/api/v1/businesses/${id}`));
  const { refresh } = useDesk();
  const isHead = useIsHead();
  const [isEdited, setEdited] = useState(false);
  if (!business) return error ? <Failure error={error} /> : <Loading rows={5} />;
  const change = async (changes: object, said: string) => {
    await patch(gateway(`/api/v1/businesses/${id}`), changes);
    tell(said);
    setEdited(false);
    await Promise.all([reload(), refresh()]);
  };
  return (
    <>
      {error && <Failure error={error} />}
      <section class="panel head" aria-label="Business">
        <div class="head-line">
          <h1 class="price wrap" data-part="business-name">
            {business.name}
          </h1>
          <Badge label={stateOf(business)} part="status" value={business.disabled ? "DISABLED" : "ACTIVE"} />
        </div>
        {business.disabled && <p class="says">It creates no payments, withdrawals and refunds. Payments that exist go on.</p>}
        {isHead && !isEdited && (
          <div class="acts">
            <button type="button" class="act plain" onClick={() => setEdited(true)} data-part="business-edit">
              Edit
            </button>
            <Disable business={business} change={change} />
          </div>
        )}
      </section>
      {isEdited ? (
        <Panel title="Edit" part="business-form-panel">
          <BusinessForm business={business} button="Save" submit={(changes) => change(changes, "Saved")} cancel={() => setEdited(false)} />
        </Panel>
      ) : (
        <div class="columns">
          <div class="column">
            <Settings business={business} />
          </div>
          <div class="column">
            <Endpoints business={business} />
            {isHead && <Rotations business={business} />}
          </div>
        </div>
      )}
    </>
  );
}

interface DisableProps {
  business: BusinessInfo;
  change: (changes: object, said: string) => Promise<void>;
}

const Disable = ({ business, change }: DisableProps) =>
  business.disabled ? (
    <Ask
      label="Enable"
      title={`Enable ${business.name}?`}
      button="Enable it"
      part="enable"
      act={() => change({ disabled: false }, "The business is enabled")}
    >
      {() => <p>It can create payments, withdrawals and refunds again.</p>}
    </Ask>
  ) : (
    <Ask
      label="Disable"
      title={`Disable ${business.name}?`}
      button="Disable it"
      part="disable"
      isGrave
      act={() => change({ disabled: true }, "The business is disabled")}
    >
      {() => (
        <p>
          It creates no payments, no withdrawals and no refunds from now on. Payments that exist go on: customers who have an address can still pay, and their
          deposits are credited and reported. It can be enabled again.
        </p>
      )}
    </Ask>
  );
