import type { DataContext } from "../../context.ts";
import * as z from "zod";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";

/**
 * A ticket for a login whose proof was given to `/co/authenticate`: the browser that gave it brings the ticket to `/authorize`, once and soon. It is good for one client, and in the
 * browser alone whose cookie it was made with: an address with somebody else's ticket signs nobody in.
 */

const purpose = "login";

/** Milliseconds between the proof and `/authorize`: the script goes there at once. */
const lifetime = 60_000;

/** What a ticket keeps besides its row's columns. */
const LoginTicket = z.object({
  account_id: z.string(),
  connection_id: z.string(),
  method: z.string(),
  browser_hash: z.string(),
  /** Of the account when it was proved: with another one the proof counts no more. */
  password_id: z.string().nullable(),
});

/** A proof that was given, and where. */
export interface TicketAuthentication {
  /** The primary account. */
  readonly userId: string;
  /** The account that was proved: the same, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly connectionId: string;
  /** How (RFC 8176). */
  readonly method: string;
  readonly clientId: string;
  /** The secret of the cookie that the browser has. */
  readonly browser: string;
}

/** Makes a ticket. @returns its text, of which only a hash is stored. */
export async function createLoginTicket(context: DataContext, proof: TicketAuthentication): Promise<string> {
  const { userId, account, connectionId, method, clientId, browser } = proof;
  const text = context.random.token(32);
  const now = context.now();
  const request: z.output<typeof LoginTicket> = {
    account_id: account.user_id,
    connection_id: connectionId,
    method,
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

/** A ticket as it is brought back. */
export interface SubmittedTicket {
  readonly text: string;
  readonly clientId: string;
  readonly browser: string;
}

/** Who a ticket signs in. */
export interface TicketLogin {
  /** The primary account. */
  readonly user: Row<"users">;
  readonly account: Row<"users">;
  readonly connectionId: string;
  readonly method: string;
  /** Whether the proof still counts: to be asked once the session is there, so that whoever takes the password or the account away meanwhile finds it. */
  stillHolds(): Promise<boolean>;
}

/** Uses a ticket up. @returns undefined where it is not good here: of parallel uses, a single one gets the login. */
export async function redeemLoginTicket(context: DataContext, brought: SubmittedTicket): Promise<TicketLogin | undefined> {
  const { data } = context;
  const where = { ticket_hash: await sha256(brought.text) };
  const [ticket] = await data.tickets.find({ where, limit: 1 });
  if (ticket?.purpose !== purpose || ticket.client_id !== brought.clientId) return undefined;
  const request = LoginTicket.parse(ticket.request);
  if (!equalInConstantTime(request.browser_hash, await sha256(brought.browser))) return undefined;
  const now = context.now();
  const consumed = await data.tickets.update({ ...where, consumed_at: null, expires_at: { gt: now } }, { set: { consumed_at: now } });
  const proved = consumed === 1 ? await findProved(data, ticket.user_id, request) : undefined;
  if (proved === undefined) return undefined;
  const { connection_id: connectionId, method } = request;
  return { ...proved, connectionId, method, stillHolds: async () => (await findProved(data, ticket.user_id, request)) !== undefined };
}

/** The accounts as they were when the proof was given; undefined where one was blocked, linked, unlinked, removed or given another password. */
async function findProved(
  data: TenantData,
  userId: string,
  { account_id: accountId, password_id: passwordId }: z.output<typeof LoginTicket>,
): Promise<Pick<TicketLogin, "user" | "account"> | undefined> {
  const ids = [...new Set([userId, accountId])];
  const found = await data.users.find({ where: { user_id: { in: ids } }, limit: ids.length });
  const [user, account] = [userId, accountId].map((id) => found.find(({ user_id }) => user_id === id));
  if (user === undefined || account === undefined || user.blocked || account.blocked || user.linked_to !== "") return undefined;
  if (account.linked_to !== (accountId === userId ? "" : userId) || account.password_id !== passwordId) return undefined;
  return { user, account };
}
