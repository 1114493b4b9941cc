import * as z from "zod";
import type { Row } from "../../data/schema.ts";
import { createLoginTicket } from "../../domain/login/login-ticket.ts";
import { signInWithPassword } from "../../domain/login/password-login.ts";
import { PosternError } from "../../errors.ts";
import { isOneOf } from "../../http/cors.ts";
import { Reply } from "../../http/route.ts";
import { bindingCookies } from "../../login/cookies.ts";
import { recordTries } from "../../login/record-tries.ts";
import { refusePassword } from "../../login/password-sign-in.ts";
import { connectionFor, possibleProofs } from "../../login/possible-proofs.ts";
import { attackProtection } from "../../model/tenant/attack-protection.ts";
import { originsOfClient } from "../../tenancy/client-origins.ts";
import { route } from "../../tenancy/context.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";

const passwordRealm = "http://auth0.com/oauth/grant-type/password-realm";

const CrossOriginRequest = z
  .object({
    client_id: z.string().min(1).max(64),
    credential_type: z.enum(["password", passwordRealm]).meta({ description: "`password` is for the tenant's default directory" }),
    username: z.string().min(1).max(320).meta({ description: "An e-mail address, a username or a phone number" }),
    password: z.string().min(1).max(10_000),
    realm: z.string().min(1).max(128).exactOptional().meta({ description: "The name of a connection of the client" }),
  })
  .meta({ id: "CrossOriginRequest" });

const CrossOriginReply = z
  .strictObject({
    login_ticket: z.string().meta({
      description: "For `login_ticket` of `/authorize`: good once, for a minute, in the browser that keeps the cookie of this reply",
    }),
    co_verifier: z.string().meta({ description: "The vendor's browser SDK keeps it with `co_id`; nothing goes by the two here" }),
    co_id: z.string(),
  })
  .meta({ id: "CrossOriginReply" });

/**
 * Checks a password that an app's own page asked for, and gives its script a ticket with which `/authorize` asks for none. Scripts of the client's origins alone may ask, and only those
 * of a client that is set to it (`cross_origin_authentication`).
 */
export const crossOriginAuthenticate = route({
  method: "POST",
  path: "/co/authenticate",
  summary: "Check a password that an app's own page asked for",
  scopes: "public",
  cors: "client",
  corsCredentials: true,
  tenantHints: ["client_id"],
  body: CrossOriginRequest,
  failureEvent: () => "fcoa",
  responses: {
    200: CrossOriginReply,
    400: { error: "invalid_request, access_denied" },
    401: { error: "invalid_client" },
    403: { error: "INVALID_CREDENTIALS, TOO_MANY_FAILED_LOGINS, forbidden" },
    429: { error: "TOO_MANY_REQUESTS" },
  },
})(async ({ body, request }, { tenant }) => {
  const client = await tenant.client(body.client_id);
  if (client === undefined) throw new PosternError("invalid_client", "the client is unknown");
  checkOrigin(client, request.headers.get("origin"));
  if (client.settings.cross_origin_authentication !== true) {
    throw new PosternError("forbidden", "the client is not set to cross_origin_authentication");
  }
  const realm = body.credential_type === "password" ? undefined : body.realm;
  const connection = connectionFor(await possibleProofs(tenant, client, { connection: realm }), "pwd");
  if (connection === undefined) throw new PosternError("invalid_request", "body: 'realm' names no password connection of the client");
  const { browser, cookies } = bindingCookies(tenant, request);
  const ticket = await ticketForPassword(tenant, client, connection, { identifier: body.username, password: body.password, browser });
  const { ids } = tenant.environment;
  return new Reply({ login_ticket: ticket, co_verifier: ids.token(24), co_id: ids.token(12) }, { cookies });
});

/** Any other site could try passwords in its visitors' name, and sign them in as somebody else. @throws {PosternError} `forbidden` */
function checkOrigin(client: Client, origin: string | null): void {
  if (origin !== null && isOneOf(originsOfClient(client), origin)) return;
  throw new PosternError("forbidden", "the request comes from no origin of the client");
}

interface Credentials {
  readonly identifier: string;
  readonly password: string;
  readonly browser: string;
}

/** Tries a password. The ticket is made before the login is decided, as a session would be. @throws {PosternError} as {@link refusePassword}. */
async function ticketForPassword(
  tenant: Tenant,
  client: Client,
  connection: Row<"connections">,
  { identifier, password, browser }: Credentials,
): Promise<string> {
  const { environment, data } = tenant;
  const named = { client_id: client.record.client_id, name: client.record.name };
  let ticket = "";
  const result = await signInWithPassword({
    environment,
    data,
    tenantId: tenant.id,
    connection,
    identifier,
    password,
    ip: tenant.requestInfo.ip,
    protection: attackProtection(tenant.record),
    limiter: environment.rateLimiter,
    wait: environment.wait,
    begin: async (userId, account) => {
      const proof = { userId, account, connectionId: connection.id, method: "pwd", clientId: named.client_id, browser };
      ticket = await createLoginTicket(environment, data, proof);
    },
  });
  await recordTries(tenant, client, result.events);
  if (result.kind !== "signed-in") refusePassword(result);
  await tenant.audit({
    type: "scoa",
    client: named,
    connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
    user: { user_id: result.user.user_id, name: result.user.name },
  });
  return ticket;
}
