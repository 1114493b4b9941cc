import type { JSX } from "preact";
import type { ConsentScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { FormAction, Form, Name } from "../../components/form.tsx";
import { NotYou } from "../../components/account.tsx";
import { Icon } from "../../components/icons.tsx";
import { brandMark, Tile } from "../../components/marks.tsx";

/**
 * The names of the texts for standard OpenID Connect scopes. They are used if the API has no description of the scope.
 */
const knownScopes = {
  openid: "scopeOpenid",
  profile: "scopeProfile",
  email: "scopeEmail",
  phone: "scopePhone",
  address: "scopeAddress",
  offline_access: "scopeOfflineAccess",
} as const;

/**
 * Draws the page that asks for consent to the requested scopes. No button has the focus, so that a user cannot consent
 * by pressing Enter accidentally.
 */
export function drawConsent({ frame, t }: Drawing, screen: ConsentScreen): PageParts {
  const { client, account, actsForUser = false, audience, destination, scopes } = screen;
  const name = <Name>{client.name}</Name>;
  const asks =
    audience === undefined || audience === ""
      ? t.pieces("consentScopes", { client: name })
      : t.pieces("consentScopesFor", { client: name, audience: <Name>{audience}</Name> });
  return {
    title: t.text("consentTitle", { client: client.name }),
    heading: t.pieces("consentTitle", { client: name }),
    pictures: [client.logoUri],
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile name={client.name} picture={client.logoUri} />
        <span class="link-dots" />
        <Tile {...brandMark(frame)} />
      </div>
    ),
    content: (
      <>
        <NotYou frame={frame} t={t} account={account} />
        {scopes.length === 0 && !actsForUser && <p class="asks">{t.pieces("consentNothing", { client: name })}</p>}
        {scopes.length > 0 && (
          <section class="asks">
            <h2>{asks}</h2>
            <ul>
              {scopes.map((scope) => (
                <li key={scope.value}>
                  <Icon name="check" />
                  <Scope t={t} scope={scope} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {actsForUser && <p class="asks">{t.pieces("consentActs", { client: name, audience: <Name>{audience ?? ""}</Name> })}</p>}
        {/* The host is never cut, because its end identifies the owner. */}
        <p class="note">{t.pieces("consentTrust", { client: name, destination: <bdi class="destination">{destination}</bdi> })}</p>
        <Form frame={frame} class="answers">
          <FormAction value="accept">{t.text("consentAccept")}</FormAction>
          <FormAction value="deny" kind="second">
            {t.text("consentDeny")}
          </FormAction>
        </Form>
      </>
    ),
  };
}

function Scope({ t, scope }: Pick<Drawing, "t"> & { readonly scope: ConsentScreen["scopes"][number] }): JSX.Element {
  const { value, description } = scope;
  if (description !== undefined && description !== "") return <span dir="auto">{description}</span>;
  return isKnown(value) ? <span>{t.text(knownScopes[value])}</span> : <code dir="ltr">{value}</code>;
}

function isKnown(scope: string): scope is keyof typeof knownScopes {
  return Object.hasOwn(knownScopes, scope);
}
