import type { JSX } from "preact";
import type { ProviderChoice } from "../upstream/providers.ts";
import type { Drawing } from "./drawing.ts";
import { Clamped, Form } from "./form.tsx";
import { ProviderMark } from "./provider-mark.tsx";

/** Renders a button for each identity provider, in the order of `providers`. */
export function ProviderButtons({ frame, t, providers }: Drawing & { readonly providers: readonly ProviderChoice[] }): JSX.Element {
  return (
    <div class="providers">
      {providers.map(({ connection, label, strategy, lastUsed }) => (
        <Form key={connection} frame={frame}>
          <input type="hidden" name="connection" value={connection} />
          <button type="submit" name="action" value="continue-with" class="button second provider">
            <ProviderMark strategy={strategy} label={label} />
            <Clamped>{t.text("providerContinue", { provider: label })}</Clamped>
            {lastUsed && <span class="last">{t.text("providerLast")}</span>}
          </button>
        </Form>
      ))}
    </div>
  );
}

/** Renders the separator between the identity providers and the other sign-in options. */
export function Or({ t }: Pick<Drawing, "t">): JSX.Element {
  return <p class="or">{t.text("providerOr")}</p>;
}
