import { createHmac, timingSafeEqual } from "node:crypto";
import type { ConnectionStrategy } from "@postern/core";

/** The key with which the provider of {@link badges} signs, which both sides know. */
const key = "a key of the provider and the strategy";

/** A response of the provider: the claims with the id of the request, and their signature. */
export function signResponse(requestId: string, claims: object, padding = ""): { readonly badge: string } {
  const payload = Buffer.from(JSON.stringify({ requestId, claims, padding })).toString("base64url");
  return { badge: `${payload}.${createHmac("sha256", key).update(payload).digest("base64url")}` };
}

/** A protocol without OAuth: the provider posts a signed form, as SAML's do. */
export const badges: ConnectionStrategy = {
  label: "Badges",
  isSetUp: ({ signInEndpoint }) => typeof signInEndpoint === "string",
  authorizationUrl: ({ connection, callbackUrl, state, nonce }, { loginHint = "", requiresNewAuthentication: force, maxAge = "" }) => {
    const url = new URL(String(connection.options["signInEndpoint"]));
    for (const [name, value] of Object.entries({ callback: callbackUrl, RelayState: state, id: nonce, hint: loginHint, force, maxAge }))
      url.searchParams.set(name, String(value));
    return url.href;
  },
  readResponse: ({ fields, nonce }) => {
    const { badge = "", cancelled } = fields;
    if (cancelled !== undefined) return "declined";
    const [payload = "", signature = ""] = badge.split(".");
    const expected = createHmac("sha256", key).update(payload).digest();
    const given = Buffer.from(signature, "base64url");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error("the signature is wrong");
    const { requestId, claims } = JSON.parse(Buffer.from(payload, "base64url").toString());
    if (requestId !== nonce) throw new Error("the response belongs to another request");
    return claims;
  },
};
