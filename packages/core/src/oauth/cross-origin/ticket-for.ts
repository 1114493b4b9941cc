import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import type { Row } from "../../store/schema.ts";
import { readCodeUsername } from "../../identity/login/code-address.ts";
import { requireIdentifier } from "../../identity/login/identifier.ts";
import { signInWithCode } from "../../identity/login/code-login.ts";
import { createLoginTicket } from "../../identity/login/login-ticket.ts";
import { signInWithPassword } from "../../identity/login/password-login.ts";
import { throwCodeRefusal, throwPasswordRefusal } from "../../identity/login/refusals.ts";
import type { SessionStart, SignInResult } from "../../identity/login/sign-in.ts";
import { connectionFor, availableMethods } from "../../login/available-methods.ts";
import type { AuthenticationRecord } from "../../login/authentication-record.ts";
import { invalidBody } from "../../model/settings.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { codeConnection } from "../passwordless/place.ts";

/** The client whose script requests a login ticket, and its browser. */
export interface TicketContext {
  readonly tenant: RequestTenant;
  readonly client: RegisteredClient;
  /** The cookie that the ticket is bound to. */
  readonly browser: string;
}

/** Verifies a password and returns a login ticket. @throws {PosternError} as {@link throwPasswordRefusal}. */
export async function ticketForPassword(
  context: TicketContext,
  sent: { readonly username: string; readonly password: string; readonly realm?: string },
): Promise<string> {
  const { tenant, client } = context;
  const connection = connectionFor(await availableMethods(tenant, client, { connection: sent.realm }), "pwd");
  if (connection === undefined) throw invalidBody("'realm' must be a password database of the client");
  await requireIdentifier(connection, sent.username);
  const session = loginTicket(context, connection, "pwd");
  const result = await signInWithPassword(tenant, { client, connection, session, identifier: sent.username, password: sent.password });
  if (result.kind !== "signed-in") throwPasswordRefusal(result);
  return recordTicket(context, connection, result);
}

/**
 * Verifies a one-time code from `/passwordless/start` and returns a login ticket. @throws {PosternError} as {@link
 * throwCodeRefusal}.
 */
export async function ticketForCode(
  context: TicketContext,
  sent: { readonly username: string; readonly otp: string; readonly realm: string },
): Promise<string> {
  const { tenant, client } = context;
  const connection = await codeConnection(tenant, client, sent.realm);
  if (connection === undefined) throw invalidBody("'realm' must be a passwordless connection that is enabled for this client");
  const address = await readCodeUsername(connection, sent.username);
  const session = loginTicket(context, connection, "otp");
  const result = await signInWithCode(tenant, { client, connection, session, address, code: sent.otp });
  if (result.kind !== "signed-in") throwCodeRefusal(result, address);
  return recordTicket(context, connection, result);
}

/**
 * Returns a session start that creates a login ticket instead of a session. A ticket that the browser never receives
 * need not be deleted, because it expires within minutes.
 */
function loginTicket(
  { tenant, client, browser }: TicketContext,
  connection: Row<"connections">,
  method: AuthenticationRecord["method"],
): SessionStart<{ readonly ticket: string }> {
  const { client_id: clientId } = client.record;
  return {
    async start({ user_id: userId }, account, channels) {
      const proof = { userId, account, connectionId: connection.id, method, channels, clientId, browser };
      return { ticket: await createLoginTicket(tenant, proof) };
    },
  };
}

/** Writes an audit event for the ticket, and returns the ticket. */
async function recordTicket(
  { tenant, client }: TicketContext,
  connection: Row<"connections">,
  { started, user, recorded }: SignInResult<{ readonly ticket: string }>,
): Promise<string> {
  await recorded;
  await tenant.audit({ type: "scoa", ...auditClient(client), ...auditConnection(connection), ...auditUser(user) });
  return started.ticket;
}
