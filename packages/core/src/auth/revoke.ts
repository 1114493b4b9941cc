import * as z from "zod";
import { sha256 } from "../adapters/digest.ts";
import { revokeFamily } from "../domain/refresh-tokens/refresh-token.ts";
import { route } from "../tenancy/context.ts";

/** Token revocation (RFC 7009). A refresh token takes its family and the access tokens of its grant with it. Unknown tokens are answered alike. */
export const revoke = route({
  method: "POST",
  path: "/oauth/revoke",
  summary: "Revoke a refresh token",
  scopes: "client",
  bodyKind: "json-or-form",
  body: z.looseObject({ token: z.string().min(1).max(16_384) }).meta({ id: "RevocationRequest" }),
  responses: { 200: null, 400: { error: "invalid_request" }, 401: { error: "invalid_client" } },
})(async ({ body }, { tenant, client }) => {
  const { data, environment } = tenant;
  const [token] = await data.refresh_tokens.find({ where: { token_hash: await sha256(body.token) }, limit: 1 });
  if (token === undefined || token.client_id !== client.record.client_id) return;
  if (await revokeFamily(environment, data, token, "revoked")) {
    await tenant.audit({
      type: "srrt",
      client: { client_id: client.record.client_id, name: client.record.name },
      user: { user_id: token.user_id, name: "" },
    });
  }
});
