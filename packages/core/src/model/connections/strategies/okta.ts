import { describeOidc, oidc, endpointPlaceOf } from "./oidc.ts";
import { textIn } from "./provider.ts";
import { queryCallback } from "./query-callback.ts";
import type { IdentityProviderStrategy } from "./strategy.ts";

/** Okta, an OpenID Connect provider. The option `domain` identifies it. */
export const okta: IdentityProviderStrategy = {
  kind: "enterprise",
  title: "Okta",
  label: "Okta",
  options: oidc.options,
  inheritance: oidc.inheritance,
  ...(oidc.destination && { destination: oidc.destination }),
  callback: queryCallback,
  describe: (given) => {
    const domain = textIn(given, "domain") ?? textIn(given, "tenant_domain");
    return describeOidc(given, endpointPlaceOf(given) ?? (domain === undefined ? undefined : { discover: `https://${domain}` }));
  },
};
