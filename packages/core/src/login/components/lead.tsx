import type { JSX } from "preact";
import type { Drawing } from "./drawing.ts";
import { Name } from "./form.tsx";

/** Renders the sentence that names the client that the visitor signs in to, or the tenant if the client is unknown. */
export function Lead({ frame, t }: Drawing): JSX.Element {
  const { clientName, tenantName } = frame;
  return (
    <p class="lead">
      {clientName === undefined || clientName === ""
        ? t.pieces("identifierLeadPlain", { tenant: <Name>{tenantName}</Name> })
        : t.pieces("identifierLead", { client: <Name>{clientName}</Name> })}
    </p>
  );
}
