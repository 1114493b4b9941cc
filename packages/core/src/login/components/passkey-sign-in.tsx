import type { JSX } from "preact";
import type * as z from "zod";
import type { passkeySignInSchema } from "../steps/webauthn/passkey-sign-in.ts";
import type { Drawing } from "./drawing.ts";
import { Form } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { Or } from "./provider-buttons.tsx";
import { UnknownSignal } from "./signals.tsx";
import { KeyResponse } from "./webauthn-form.tsx";

interface PasskeySignInProps extends Drawing {
  readonly passkey: z.output<typeof passkeySignInSchema>;
  /** Whether a separator is above the button. */
  readonly separated: boolean;
}

/**
 * Renders the button to sign in with a passkey. The page script shows it. Without JavaScript, and in a browser without
 * WebAuthn, nothing is visible: the page has other ways to sign in.
 */
export function PasskeySignIn({ frame, t, passkey: { publicKey, autofill, button, unknown }, separated }: PasskeySignInProps): JSX.Element {
  return (
    <div class="passkey" data-key-section {...(!button && { "data-key-silent": true })} hidden>
      <UnknownSignal unknown={unknown === undefined ? undefined : { rpId: publicKey.rpId, credentialId: unknown }} />
      {separated && <Or t={t} />}
      <div class="providers">
        <Form frame={frame}>
          <KeyResponse t={t} />
          <PasskeySupport />
          <button
            type="submit"
            name="action"
            value="use-passkey"
            class="button second provider"
            data-key-options={JSON.stringify(publicKey)}
            {...(autofill && { "data-key-autofill": true })}
          >
            <Icon name="key" />
            <span>{t.text("passkeyUse")}</span>
          </button>
        </Form>
      </div>
    </div>
  );
}

/** Renders the field in which the page script reports whether the browser can create a passkey. */
export function PasskeySupport(): JSX.Element {
  return <input type="hidden" name="passkeys" value="" />;
}
