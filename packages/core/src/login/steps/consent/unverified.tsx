import type { JSX } from "preact";
import { Host } from "../../components/address.tsx";
import type { Drawing } from "../../components/drawing.ts";
import { Clamped, Name } from "../../components/form.tsx";
import type { ClientParts } from "./page.tsx";
import type { ConsentScreen } from "./step.ts";

/** The texts for what receives the response, if it is not a website. */
const receivers = { "this-computer": "consentThisComputer", "this-device": "consentThisDevice" } as const;

/**
 * Describes a client whose name no administrator checked. The heading contains the host of its metadata document, or no name. The
 * name that the client chose is a separate block, so that its length and its bidirectional characters affect no other
 * text.
 */
export function describeUnverified(t: Drawing["t"], screen: ConsentScreen): ClientParts {
  const { audience = "", client } = screen;
  const { documentHost: host } = client;
  return {
    title: host === undefined ? t.text("consentAppTitle") : t.text("consentTitle", { client: host }),
    heading: host === undefined ? t.text("consentAppTitle") : t.pieces("consentTitle", { client: <Host>{host}</Host> }),
    tile: { name: host ?? "?" },
    facts: <Facts t={t} screen={screen} />,
    asks: audience === "" ? t.text("consentAppScopes") : t.pieces("consentAppScopesFor", { audience: <Name>{audience}</Name> }),
    asksNothing: t.text("consentAppNothing"),
    note: t.text("consentUnchecked"),
  };
}

/** Renders what identifies the client: its address, the name that it chose, and what receives the response. */
function Facts({ t, screen }: Pick<Drawing, "t"> & { readonly screen: ConsentScreen }): JSX.Element {
  const { client, destination, destinationKind = "website" } = screen;
  return (
    <dl class="facts">
      {client.documentHost !== undefined && (
        <>
          <dt>{t.text("consentAppHost")}</dt>
          <dd>
            <Host>{client.documentHost}</Host>
          </dd>
        </>
      )}
      <dt>{t.text("consentAppName")}</dt>
      <dd>
        <Clamped>{client.name}</Clamped>
      </dd>
      <dt>{t.text("consentReturn")}</dt>
      <dd>
        {destinationKind === "website" ? (
          <Host>{destination}</Host>
        ) : (
          <>
            <b>{t.text(receivers[destinationKind])}</b>{" "}
            <bdi class="detail">{destinationKind === "this-device" ? `${destination}:` : destination}</bdi>
          </>
        )}
      </dd>
    </dl>
  );
}
