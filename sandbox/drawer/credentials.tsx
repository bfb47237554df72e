import { useState } from "preact/hooks";
import { get } from "../../www/desk/api";
import { Fact, Fold, Note } from "../../www/desk/components/panel";
import { ActButton } from "./acts";
import { TOKEN } from "./requests";

/** `GET /sandbox/credentials` */
interface Credentials {
  baseUrl: string;
  businessId: string;
  businessToken: string;
  callbackSecret: string;
}

/** What a back end needs to use the gateway as the sandbox's business. */
export const Credentials = () => (
  <section class="panel" data-part="credentials">
    <Fold title="Credentials">
      <Shown />
    </Fold>
  </section>
);

function Shown() {
  const [known, setKnown] = useState<Credentials | null>(null);
  const show = async () => {
    setKnown(await get<Credentials>("/sandbox/credentials"));
    return "The credentials are shown";
  };
  if (!known) {
    return (
      <div class="acts">
        <Note>The token acts for the sandbox's business, the secret verifies its callbacks.</Note>
        <ActButton act={show} icon="key" part="reveal">
          Show them
        </ActButton>
      </div>
    );
  }
  const { baseUrl, businessId, businessToken, callbackSecret } = known;
  return (
    <dl class="lines">
      <Fact label="Gateway" copy={baseUrl} mono>
        {baseUrl}
      </Fact>
      <Fact label="Business" copy={businessId} mono>
        {businessId}
      </Fact>
      <Fact label="Token" copy={businessToken} mono part="token">
        {businessToken}
      </Fact>
      <Fact label="Secret" copy={callbackSecret} mono part="secret">
        {callbackSecret}
      </Fact>
      <Fact label="For a shell" copy={`export ${TOKEN}=${businessToken}`} mono>
        export {TOKEN}=…
      </Fact>
    </dl>
  );
}
