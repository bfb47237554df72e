// New credentials, which are shown once.
import type { Business, RotatedSecret, RotatedToken } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { Ask } from "../components/ask";
import { Field } from "../components/fields";
import { Panel } from "../components/panel";
import { ShownOnce } from "./shown_once";

export function Rotations({ business }: { business: Business }) {
  const [shown, setShown] = useState<Record<string, string> | null>(null);
  const path = (act: string) => gateway(`/api/v1/businesses/${business.id}/${act}`);
  return (
    <Panel title="Credentials" part="credentials">
      <p class="quiet-note">A new one is shown once. Nobody can look up the present ones here.</p>
      <div class="acts">
        <Ask
          label="New token"
          icon="key"
          title={`New token for ${business.name}`}
          button="Make a new token"
          part="rotate-token"
          isGrave
          act={async ({ overlapHours = "" }) => {
            const { token } = await post<RotatedToken>(path("rotate-token"), { overlapHours: hours(overlapHours) });
            setShown({ Token: token });
          }}
        >
          {(errorOf) => (
            <>
              <p>It may do everything for the business, and replaces all its tokens. A shop with an old one stops working when that ends.</p>
              <Field
                label="Hours for which old tokens stay valid"
                name="overlapHours"
                inputmode="numeric"
                initial="24"
                error={errorOf("overlapHours")}
                hint="0 if a token may be stolen"
              />
            </>
          )}
        </Ask>
        <Ask
          label="New callback secret"
          icon="key"
          title={`New callback secret for ${business.name}`}
          button="Make a new secret"
          part="rotate-secret"
          isGrave
          act={async ({ overlapHours = "" }) => {
            const { callbackSecret } = await post<RotatedSecret>(path("rotate-secret"), { overlapHours: hours(overlapHours) });
            setShown({ "Callback secret": callbackSecret });
          }}
        >
          {(errorOf) => (
            <>
              <p>It signs callbacks from now on. Until the old one ends, they carry both signatures.</p>
              <Field
                label="Hours for which the old secret signs, too"
                name="overlapHours"
                inputmode="numeric"
                initial="24"
                error={errorOf("overlapHours")}
              />
            </>
          )}
        </Ask>
      </div>
      {shown && <ShownOnce values={shown} close={() => setShown(null)} />}
    </Panel>
  );
}

/** What is no number is left for the gateway to refuse. */
const hours = (text: string): number | string => (/^\d+$/.test(text.trim()) ? Number(text) : text);
