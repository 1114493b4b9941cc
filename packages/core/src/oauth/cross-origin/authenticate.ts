import * as z from "zod";
import type { TokenGrantType } from "../../model/clients/grant-types.ts";
import { PosternError } from "../../errors.ts";
import { isAllowedOrigin } from "../../http/cors.ts";
import { Reply } from "../../http/route.ts";
import { bindingCookies } from "../../login/cookies.ts";
import { originsOfClient } from "../../tenants/client-origins.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { ticketForCode, ticketForPassword, type TicketContext } from "./ticket-for.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const common = {
  client_id: clientIdSchema,
  username: z.string().min(1).max(320).meta({ description: "An email address, a username or a phone number" }),
};
const password = z.string().min(1).max(10_000);
const realm = z.string().min(1).max(128);

const crossOriginRequestSchema = z
  .discriminatedUnion("credential_type", [
    z
      .object({ ...common, credential_type: z.literal("password" satisfies TokenGrantType), password })
      .meta({ id: "CrossOriginPassword", description: "For the tenant's default directory" }),
    z
      .object({
        ...common,
        credential_type: z.literal("http://auth0.com/oauth/grant-type/password-realm" satisfies TokenGrantType),
        password,
        realm: realm.meta({ description: "The name of a password database of the client" }),
      })
      .meta({ id: "CrossOriginPasswordRealm" }),
    z
      .object({
        ...common,
        credential_type: z.literal("http://auth0.com/oauth/grant-type/passwordless/otp" satisfies TokenGrantType),
        otp: z.string().min(1).max(100).meta({ description: "The code that `/passwordless/start` sent" }),
        realm: realm.meta({ description: "`email` or `sms`, or the name of a connection of these strategies" }),
      })
      .meta({ id: "CrossOriginCode" }),
  ])
  .meta({ id: "CrossOriginRequest" });

const crossOriginReplySchema = z
  .strictObject({
    login_ticket: z.string().meta({
      description: "For `login_ticket` of `/authorize`. Valid once, for a minute, in the browser that received the cookie of this response",
    }),
    co_verifier: z.string().meta({ description: "Auth0's browser SDK stores it with `co_id`. Neither has an effect in Postern" }),
    co_id: z.string(),
  })
  .meta({ id: "CrossOriginReply" });

/**
 * Verifies a password or a code that an application's own page prompted for, and returns a login ticket to its script.
 * With the ticket, `/authorize` prompts for no credentials. Only scripts of the client's origins may call this
 * endpoint, and only if `cross_origin_authentication` is enabled for the client.
 */
export const crossOriginAuthenticate = route({
  method: "POST",
  path: "/co/authenticate",
  summary: "Verify a password or a code from an application's own page",
  scopes: "public",
  cors: "client",
  corsCredentials: true,
  tenantHints: ["client_id"],
  body: crossOriginRequestSchema,
  failureEvent: () => "fcoa" as const,
  responses: {
    200: crossOriginReplySchema,
    400: { error: "invalid_request, access_denied, invalid_grant" },
    401: { error: "invalid_client" },
    403: { error: "INVALID_CREDENTIALS, TOO_MANY_FAILED_LOGINS, forbidden" },
    429: { error: "TOO_MANY_REQUESTS" },
  },
})(async ({ body, request }, { tenant }) => {
  const client = await tenant.client(body.client_id);
  if (client === undefined) throw new PosternError("invalid_client", "the client is unknown");
  checkOrigin(client, request.headers.get("origin"));
  if (client.settings.cross_origin_authentication !== true) {
    throw new PosternError("forbidden", "cross_origin_authentication is not enabled for the client");
  }
  const { browser, cookies } = bindingCookies(tenant, request);
  const context: TicketContext = { tenant, client, browser };
  const ticket = await ("otp" in body ? ticketForCode(context, body) : ticketForPassword(context, body));
  return new Reply({ login_ticket: ticket, co_verifier: tenant.random.token(24), co_id: tenant.random.token(12) }, { cookies });
});

/**
 * Rejects requests from other origins. Otherwise, any site could try passwords through its visitors' browsers, and sign
 * its visitors in to another user's account.
 * @throws {PosternError} `forbidden`
 */
function checkOrigin(client: RegisteredClient, origin: string | null): void {
  if (origin !== null && isAllowedOrigin(originsOfClient(client), origin)) return;
  throw new PosternError("forbidden", "the origin of the request is not an origin of the client");
}
