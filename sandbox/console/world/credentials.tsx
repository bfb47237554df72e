import { loadCredentials } from "../actions/world";
import { ActionButton } from "../components/button";
import { Fact, Note, Panel } from "../../../www/desk/components/panel";
import { TOKEN } from "../curl";
import { state } from "../store";

/** What a back end needs to use the gateway. */
export function Credentials() {
  const { credentials } = state;
  if (!credentials) {
    return (
      <Panel title="Credentials">
        <div class="acts">
          <Note>For your back end: the token authenticates the sandbox's business, the secret verifies its callbacks.</Note>
          <ActionButton name="reveal" action={loadCredentials} icon="key" part="reveal">
            Show them
          </ActionButton>
        </div>
      </Panel>
    );
  }
  const { baseUrl, businessId, businessToken, callbackSecret } = credentials;
  return (
    <Panel title="Credentials">
      <dl class="lines">
        <Fact label="Gateway" copy={baseUrl} mono>
          {baseUrl}
        </Fact>
        <Fact label="Business id" copy={businessId} mono>
          {businessId}
        </Fact>
        <Fact label="Business token" copy={businessToken} mono part="token">
          {businessToken}
        </Fact>
        <Fact label="Callback secret" copy={callbackSecret} mono>
          {callbackSecret}
        </Fact>
        <Fact label="For a shell" copy={`export ${TOKEN}=${businessToken}`} mono>
          export {TOKEN}=…
        </Fact>
      </dl>
    </Panel>
  );
}
