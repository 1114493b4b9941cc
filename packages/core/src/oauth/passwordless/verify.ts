import * as z from "zod";
import { limitOneTimeCode } from "../../identity/attack-protection/rate-limit.ts";
import { findCodeAccount } from "../../identity/login/code-address.ts";
import { findCode } from "../../identity/one-time-codes/one-time-code.ts";
import { readRemembered } from "../../login/cookies.ts";
import { throwCodeRefusal } from "../../identity/login/refusals.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { findKnownUserId } from "../../identity/login/known-browser.ts";
import { namedClient, readClientCredentials } from "../client-authentication.ts";
import { forwardedTenant } from "../../tenants/callers/forwarded-for.ts";
import { namedAddress, placeFields } from "./place.ts";

const verifyRequestSchema = z
  .object({ ...placeFields, verification_code: z.string().min(1).max(100) })
  .meta({ id: "PasswordlessVerifyRequest" });

/**
 * Lets a client's own page check a code before it redirects the browser to `/passwordless/verify_redirect`. The check
 * counts as an attempt, but does not use up the code.
 */
export const passwordlessVerify = route({
  method: "POST",
  path: "/passwordless/verify",
  summary: "Check whether a code is correct",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  bodyKind: "json-or-form",
  body: verifyRequestSchema,
  failureEvent: () => "fp",
  responses: {
    200: z.strictObject({}).meta({ id: "PasswordlessVerifyReply" }),
    400: { error: "invalid_grant, bad.connection, bad.email, bad.phone_number" },
    401: { error: "invalid_client" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After if the host application's limiter returns it" },
  },
})(async ({ body, request }, { tenant }) => {
  const { data } = tenant;
  const client = await namedClient(tenant, request, body);
  const { ip } = forwardedTenant(tenant, request, client, readClientCredentials(request, body)).requestInfo;
  const { connection, address } = await namedAddress(tenant, client, body);
  const refusal = await limitOneTimeCode(tenant, client, address.text);
  if (refusal !== undefined) throw refusal;
  const { accounts } = readRemembered(tenant, request);
  const found = await findCode(tenant, {
    purpose: "login",
    connectionId: connection.id,
    channel: address.channel,
    identifier: address.text,
    clientId: client.record.client_id,
    ip,
    typed: body.verification_code,
    findKnownUserId: async () => findKnownUserId(tenant, accounts, await findCodeAccount(data, connection, address)),
  });
  return found === undefined ? throwCodeRefusal({ kind: "wrong-code" }, address) : {};
});
