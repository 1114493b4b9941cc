import type { JSX } from "preact";
import type { CreationOptions, RequestOptions } from "../../model/factors/webauthn.ts";
import type { Drawing } from "./drawing.ts";
import { Form } from "./form.tsx";
import { Icon } from "./icons.tsx";

interface WebauthnFormProps extends Drawing {
  /** The action that submits the response. */
  readonly action: "confirm-key" | "use-key" | "create-passkey" | "add-passkey";
  /** The options for the browser. Undefined: no key can be used on this host. */
  readonly publicKey: CreationOptions | RequestOptions | undefined;
  /** The options to create a passkey without a prompt (WebAuthn conditional create). Default: none. */
  readonly conditional?: CreationOptions | undefined;
  /** The text of the button. Default: "Continue". */
  readonly submit?: string;
  /** Whether the checkbox to trust the browser is checked. Undefined: the form has no checkbox. */
  readonly remember?: boolean | undefined;
  /** Whether no response is accepted now. Default false. */
  readonly disabled?: boolean;
}

/**
 * Renders the form that creates or uses a passkey or security key. The page script shows its button. Without JavaScript,
 * or in a browser without WebAuthn, the form contains only a text that says so.
 */
export function WebauthnForm({
  frame,
  t,
  action,
  publicKey,
  conditional,
  submit,
  remember,
  disabled = false,
}: WebauthnFormProps): JSX.Element {
  if (publicKey === undefined) return <p>{t.text("webauthnUnavailable")}</p>;
  return (
    <Form frame={frame}>
      <p class="key-unsupported">{t.text("webauthnNeedsScript")}</p>
      <KeyResponse t={t} />
      {conditional !== undefined && <input type="hidden" name="mode" value="" />}
      {remember !== undefined && (
        <label class="check">
          <input type="checkbox" name="remember" value="true" checked={remember} />
          <span>{t.text("factorRemember")}</span>
        </label>
      )}
      <button
        type="submit"
        name="action"
        value={action}
        class="button main"
        data-key-options={JSON.stringify(publicKey)}
        {...(conditional !== undefined && { "data-key-conditional": JSON.stringify(conditional) })}
        disabled={disabled}
        hidden
      >
        {submit ?? t.text("factorSubmit")}
      </button>
    </Form>
  );
}

/** Renders the text that says what the browser will ask for. The page script shows it, if the browser can ask. */
export function KeyLead({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="lead" data-key-lead hidden>
      {text}
    </p>
  );
}

/**
 * Renders the field for the response of an authenticator, and the texts that the script shows while the browser waits for
 * the response, and if it returns none.
 */
export function KeyResponse({ t }: Pick<Drawing, "t">): JSX.Element {
  return (
    <>
      <div class="key-failed problem" role="alert" hidden>
        <Icon name="alert" />
        <p>{t.text("webauthnFailed")}</p>
      </div>
      <input type="hidden" name="response" value="" />
      <p class="hint key-waiting" role="status" data-waiting={t.text("webauthnWaiting")} />
    </>
  );
}
