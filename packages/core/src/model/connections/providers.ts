import type { Row } from "../../store/schema.ts";
import { appleProvider } from "./strategies/apple.ts";
import { facebookProvider } from "./strategies/facebook.ts";
import { githubProvider } from "./strategies/github.ts";
import { googleProvider } from "./strategies/google-oauth2.ts";
import { linkedinProvider } from "./strategies/linkedin.ts";
import { oauth2Provider } from "./strategies/oauth2.ts";
import { oidcProvider, oktaProvider } from "./strategies/oidc.ts";
import type { UpstreamStrategy } from "./strategies/provider.ts";
import { waadProvider } from "./strategies/waad.ts";
import { windowsliveProvider } from "./strategies/windowslive.ts";
import { isUpstreamName, type UpstreamName } from "./upstream.ts";

/** How each is spoken to. */
const strategies: { readonly [Name in UpstreamName]: UpstreamStrategy } = {
  "google-oauth2": googleProvider,
  github: githubProvider,
  windowslive: windowsliveProvider,
  waad: waadProvider,
  apple: appleProvider,
  facebook: facebookProvider,
  linkedin: linkedinProvider,
  oidc: oidcProvider,
  okta: oktaProvider,
  oauth2: oauth2Provider,
};

/** The identity provider of a connection's strategy; undefined where people do not sign in elsewhere, or not by this version. */
export function upstreamStrategy({ strategy }: Pick<Row<"connections">, "strategy">): UpstreamStrategy | undefined {
  return isUpstreamName(strategy) ? strategies[strategy] : undefined;
}
