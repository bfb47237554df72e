import { useEffect, useState } from "preact/hooks";
import { type Session, signIn } from "../api";
import { Field } from "../components/fields";
import { Form } from "../components/form";
import { Failure } from "../components/list";

/** With password and code, or by the name that the merchant's proxy gives. */
export function SignIn({ session, done }: { session: Session; done: (session: Session) => void }) {
  const { takesPasswords, isNamed } = session;
  const [failure, setFailure] = useState<Error | null>(null);
  const byProxy = () => signIn({}).then(done, setFailure);
  useEffect(() => {
    document.title = "Sign in · Desk";
    if (isNamed) void byProxy();
  }, []);
  return (
    <main class="panel sign-in" data-part="sign-in-page">
      <h1>Sign in to the desk</h1>
      {failure && <Failure error={failure} />}
      {takesPasswords ? (
        <Form submit={async (values) => done(await signIn(values))} button="Sign in" icon="lock" part="sign-in">
          {(errorOf) => (
            <>
              <Field label="Name" name="name" autocomplete="username" required error={errorOf("name")} />
              <Field
                label="Password"
                name="password"
                type="password"
                autocomplete="current-password"
                required
                error={errorOf("password")}
              />
              <Field
                label="Code"
                name="code"
                autocomplete="one-time-code"
                inputmode="numeric"
                hint="Six digits from your authenticator"
                required
                error={errorOf("code")}
              />
            </>
          )}
        </Form>
      ) : (
        <>
          <p>Your sign-on proxy says who you are.</p>
          <button type="button" class="act primary" onClick={() => void byProxy()} data-part="sign-in-send">
            Try again
          </button>
        </>
      )}
    </main>
  );
}
