import type { JSX } from "preact";
import type { CreationOptions, RequestOptions } from "../../model/factors/webauthn.ts";
import type { Drawing } from "./drawing.ts";
import { Form } from "./form.tsx";
import { Icon } from "./icons.tsx";

interface WebauthnFormProps extends Drawing {
  /** The action that submits the response. */
  readonly action: "confirm-key" | "use-key";
  /** The options for the browser. Undefined: no key can be used on this host. */
  readonly publicKey: CreationOptions | RequestOptions | undefined;
  /** Whether the checkbox to trust the browser is checked. Undefined: the form has no checkbox. */
  readonly remember?: boolean | undefined;
}

/**
 * Renders the form that creates or uses a passkey or security key. The page script shows its button. Without JavaScript,
 * or in a browser without WebAuthn, the form contains only a text that says so.
 */
export function WebauthnForm({ frame, t, action, publicKey, remember }: WebauthnFormProps): JSX.Element {
  if (publicKey === undefined) return <p>{t.text("webauthnUnavailable")}</p>;
  return (
    <Form frame={frame}>
      <p class="key-unsupported">{t.text("webauthnNeedsScript")}</p>
      <div class="key-failed problem" role="alert" hidden>
        <Icon name="alert" />
        <p>{t.text("webauthnFailed")}</p>
      </div>
      <input type="hidden" name="response" value="" />
      {remember !== undefined && (
        <label class="check">
          <input type="checkbox" name="remember" value="true" checked={remember} />
          <span>{t.text("factorRemember")}</span>
        </label>
      )}
      <button type="submit" name="action" value={action} class="button main" data-key-options={JSON.stringify(publicKey)} hidden>
        {t.text("factorSubmit")}
      </button>
    </Form>
  );
}
