import type { ComponentChildren, JSX } from "preact";
import type { RequestedScope } from "../requested-scope.ts";
import type { Drawing } from "./drawing.ts";
import { Icon } from "./icons.tsx";

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

/** Renders the scopes that a client requests. Renders nothing if it requests none. */
export function RequestedScopes({ t, heading, scopes }: RequestedScopesProps): JSX.Element | null {
  if (scopes.length === 0) return null;
  return (
    <section class="asks">
      <h2>{heading}</h2>
      <ul>
        {scopes.map((scope) => (
          <li key={scope.value}>
            <Icon name="check" />
            <Scope t={t} scope={scope} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RequestedScopesProps extends Pick<Drawing, "t"> {
  /** The sentence before the scopes. */
  readonly heading: ComponentChildren;
  readonly scopes: readonly RequestedScope[];
}

function Scope({ t, scope }: Pick<Drawing, "t"> & { readonly scope: RequestedScope }): JSX.Element {
  const { value, description } = scope;
  if (description !== undefined && description !== "") return <span dir="auto">{description}</span>;
  return isKnown(value) ? <span>{t.text(knownScopes[value])}</span> : <code dir="ltr">{value}</code>;
}

function isKnown(scope: string): scope is keyof typeof knownScopes {
  return Object.hasOwn(knownScopes, scope);
}
