import { textKind } from "../../packages/core/src/model/connections/strategies/kinds.ts";
import { textIn } from "../../packages/core/src/model/connections/strategies/provider.ts";
import type { IdentityProviderStrategy } from "../../packages/core/src/model/connections/strategies/strategy.ts";
import { upstream, upstreamBody, upstreamInheritance } from "../../packages/core/src/model/connections/strategies/upstream.ts";

/** An identity provider that Postern does not know. It posts a form with a custom parameter. */
export const imaginary: IdentityProviderStrategy = {
  kind: "social",
  title: "an imaginary provider",
  label: "Imaginary",
  mark: { box: 10, paths: [["#123456", "M1 2h3v4H5z"]] },
  options: upstreamBody({ ...upstream, region: textKind(1, 5) }),
  defaults: { region: "north" },
  inheritance: upstreamInheritance,
  destination: ["region"],
  callback: { method: "POST", parameters: { state: 300, code: 100, badge: 20 } },
  describe: (options) => {
    const base = `https://${textIn(options, "region")}.imaginary.test`;
    return {
      place: {
        issuer: base,
        authorizationEndpoint: `${base}/authorize`,
        tokenEndpoint: `${base}/token`,
        userinfoEndpoint: `${base}/me`,
      },
      scope: "who",
      callbackObject: "badge",
      read: (result) => {
        const subject = textIn(result, "number");
        return subject === undefined
          ? undefined
          : { subject, emailVerified: false, emailOwned: false, name: JSON.stringify(result["badge"]) };
      },
    };
  },
};
