import type { DataContext } from "../../context.ts";
import * as z from "zod";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/**
 * Login tickets: `/co/authenticate` returns one after it has authenticated a user. The browser sends the ticket to
 * `/authorize`, once and within a minute. A ticket is valid for one client, and only in the browser that has the
 * matching cookie. A URL with another user's ticket therefore signs no user in.
 */

const purpose = "login";

/**
 * Lifetime of a ticket in milliseconds. It is short, because the application's script redirects to `/authorize`
 * immediately.
 */
const lifetime = 60_000;

/** The data of a ticket that is stored as JSON, in addition to the columns of its row. */
const loginTicketSchema = z.object({
  account_id: z.string(),
  connection_id: z.string(),
  method: z.string(),
  /** The email addresses and phone numbers through which the authentication went. */
  channels: z.array(z.string()).exactOptional(),
  browser_hash: z.string(),
  /** The id of the account's password when the user authenticated. A password change invalidates the ticket. */
  password_id: z.string().nullable(),
});

/** A completed authentication, with the client and the browser that it is valid for. */
interface TicketAuthentication {
  /** The primary account. */
  readonly userId: string;
  /** The authenticated account: the primary account, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly connectionId: string;
  /** The authentication method (RFC 8176). */
  readonly method: string;
  /** The email addresses and phone numbers through which the authentication went. */
  readonly channels: readonly string[];
  readonly clientId: string;
  /** The secret in the browser's cookie. */
  readonly browser: string;
}

/** Creates a ticket. @returns the text of the ticket. Only a hash of it is stored. */
export async function createLoginTicket(context: DataContext, proof: TicketAuthentication): Promise<string> {
  const { userId, account, connectionId, method, channels, clientId, browser } = proof;
  const text = context.random.token(32);
  const now = context.now();
  const request: z.output<typeof loginTicketSchema> = {
    account_id: account.user_id,
    connection_id: connectionId,
    method,
    channels: [...channels],
    browser_hash: await sha256(browser),
    password_id: account.password_id,
  };
  await context.data.tickets.insert([
    {
      ticket_hash: await sha256(text),
      purpose,
      user_id: userId,
      client_id: clientId,
      request,
      created_at: now,
      expires_at: now + lifetime,
      consumed_at: null,
    },
  ]);
  return text;
}

/** A submitted ticket. */
interface SubmittedTicket {
  readonly text: string;
  readonly clientId: string;
  readonly browser: string;
}

/** The user who signs in with a ticket. */
interface TicketLogin {
  /** The primary account. */
  readonly user: Row<"users">;
  readonly account: Row<"users">;
  readonly connectionId: string;
  readonly method: string;
  readonly channels: readonly string[] | undefined;
  /**
   * Returns whether the authentication is still valid. Call this function after the session was created: a parallel
   * change of the password or the account then either revokes the session or makes this function return `false`.
   */
  isStillValid(): Promise<boolean>;
}

/**
 * Redeems a ticket. Of parallel requests, only one succeeds.
 * @returns undefined if the ticket is invalid or belongs to another client or browser.
 */
export async function redeemLoginTicket(context: DataContext, submitted: SubmittedTicket): Promise<TicketLogin | undefined> {
  const { data } = context;
  const where = { ticket_hash: await sha256(submitted.text) };
  const ticket = await findOne(data.tickets, where);
  if (ticket?.purpose !== purpose || ticket.client_id !== submitted.clientId) return undefined;
  const request = loginTicketSchema.parse(ticket.request);
  if (!equalInConstantTime(request.browser_hash, await sha256(submitted.browser))) return undefined;
  const now = context.now();
  const consumed = await data.tickets.update({ ...where, consumed_at: null, expires_at: { gt: now } }, { set: { consumed_at: now } });
  const authenticated = consumed === 1 ? await findAuthenticated(data, ticket.user_id, request) : undefined;
  if (authenticated === undefined) return undefined;
  const { connection_id: connectionId, method, channels } = request;
  return {
    ...authenticated,
    connectionId,
    method,
    channels,
    isStillValid: async () => (await findAuthenticated(data, ticket.user_id, request)) !== undefined,
  };
}

/**
 * Reads the authenticated account and its primary account. Undefined if one of them was blocked, linked, unlinked,
 * deleted or given another password since the authentication.
 */
async function findAuthenticated(
  data: TenantData,
  userId: string,
  { account_id: accountId, password_id: passwordId }: z.output<typeof loginTicketSchema>,
): Promise<Pick<TicketLogin, "user" | "account"> | undefined> {
  const ids = [...new Set([userId, accountId])];
  const found = await data.users.find({ where: { user_id: { in: ids } }, limit: ids.length });
  const [user, account] = [userId, accountId].map((id) => found.find(({ user_id }) => user_id === id));
  if (user === undefined || account === undefined || user.blocked || account.blocked || user.linked_to !== "") return undefined;
  if (account.linked_to !== (accountId === userId ? "" : userId) || account.password_id !== passwordId) return undefined;
  return { user, account };
}
