import type { ComponentChildren } from "preact";
import type { ConsentScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { FormAction, Form, Name } from "../../components/form.tsx";
import { NotYou } from "../../components/account.tsx";
import { RequestedScopes } from "../../components/requested-scopes.tsx";
import { brandMark, Tile } from "../../components/marks.tsx";
import { describeUnverified } from "./unverified.tsx";

/** The parts of the page that name the client. */
export interface ClientParts extends Pick<PageParts, "title" | "heading" | "pictures"> {
  /** The name and the logo of the client in the mark of the page. */
  readonly tile: { readonly name: string; readonly picture?: string | undefined };
  /** What is known about the client, below the heading. */
  readonly facts?: ComponentChildren;
  /** The sentence before the requested scopes. */
  readonly asks: ComponentChildren;
  /** The sentence if no scope is requested. */
  readonly asksNothing: ComponentChildren;
  /** The sentence if the client asks to act for the user. Omitted for a client that cannot ask for it. */
  readonly asksToAct?: ComponentChildren;
  /** When the user may consent. */
  readonly note: ComponentChildren;
}

/**
 * Draws the page that asks for consent to the requested scopes. No button has the focus, so that a user cannot consent
 * by pressing Enter accidentally.
 */
export function drawConsent({ frame, t }: Drawing, screen: ConsentScreen): PageParts {
  const { client, account, actsForUser = false, scopes } = screen;
  const { tile, facts, asks, asksNothing, asksToAct, note, ...parts } =
    client.unverified === true ? describeUnverified(t, screen) : describeRegistered(t, screen);
  return {
    ...parts,
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile {...tile} />
        <span class="link-dots" />
        <Tile {...brandMark(frame)} />
      </div>
    ),
    content: (
      <>
        {facts}
        <NotYou frame={frame} t={t} account={account} />
        {scopes.length === 0 && !actsForUser && <p class="asks">{asksNothing}</p>}
        <RequestedScopes t={t} heading={asks} scopes={scopes} />
        {actsForUser && <p class="asks">{asksToAct}</p>}
        <p class="note">{note}</p>
        <Form frame={frame} class="answers">
          {actsForUser && <input type="hidden" name="may_act" value="true" />}
          <FormAction value="accept">{t.text("consentAccept")}</FormAction>
          <FormAction value="deny" kind="second">
            {t.text("consentDeny")}
          </FormAction>
        </Form>
      </>
    ),
  };
}

function describeRegistered(t: Drawing["t"], { client, audience = "", destination }: ConsentScreen): ClientParts {
  const name = <Name>{client.name}</Name>;
  return {
    title: t.text("consentTitle", { client: client.name }),
    heading: t.pieces("consentTitle", { client: name }),
    pictures: [client.logoUri],
    tile: { name: client.name, picture: client.logoUri },
    asks:
      audience === ""
        ? t.pieces("consentScopes", { client: name })
        : t.pieces("consentScopesFor", { client: name, audience: <Name>{audience}</Name> }),
    asksNothing: t.pieces("consentNothing", { client: name }),
    asksToAct: t.pieces("consentActs", { client: name, audience: <Name>{audience}</Name> }),
    // The host is never cut, because its end identifies the owner.
    note: t.pieces("consentTrust", { client: name, destination: <bdi class="destination">{destination}</bdi> }),
  };
}
