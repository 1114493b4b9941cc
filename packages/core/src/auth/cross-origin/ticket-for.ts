import type { Row } from "../../data/schema.ts";
import { codeChannels, readCodeAddress } from "../../domain/login/code-address.ts";
import { signInWithCode, type CodeLogin } from "../../domain/login/code-login.ts";
import { createLoginTicket } from "../../domain/login/login-ticket.ts";
import { signInWithPassword, type PasswordLogin } from "../../domain/login/password-login.ts";
import { attemptAt, type Beginning, type Refused, type SignedIn } from "../../login/attempt.ts";
import { refuseCode } from "../../login/code-sign-in.ts";
import { refusePassword } from "../../login/password-sign-in.ts";
import { connectionFor, possibleProofs } from "../../login/possible-proofs.ts";
import type { Proof } from "../../login/proof.ts";
import { invalidBody } from "../../model/settings.ts";
import { attackProtection } from "../../model/tenant/attack-protection.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";
import { codeConnection } from "../passwordless/place.ts";

/** Who asks for a ticket: a script of a client, in a browser with this cookie. */
export interface Asked {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly browser: string;
}

/** Tries a password. @throws {PosternError} as {@link refusePassword}. */
export async function ticketForPassword(
  asked: Asked,
  sent: { readonly username: string; readonly password: string; readonly realm?: string },
): Promise<string> {
  const { tenant, client } = asked;
  const connection = connectionFor(await possibleProofs(tenant, client, { connection: sent.realm }), "pwd");
  if (connection === undefined) throw invalidBody("'realm' names no password database of the client");
  const attempt = attemptAt(tenant, client, connection, ticketBeginning(asked, connection, "pwd"));
  const protection = attackProtection(tenant.record);
  const tried = await signInWithPassword({ ...attempt.request, identifier: sent.username, password: sent.password, protection });
  const result = await attempt.settle<SignedIn<PasswordLogin>, Refused<PasswordLogin>>(tried);
  await result.recorded;
  if (result.kind !== "signed-in") refusePassword(result);
  return recorded(asked, connection, result);
}

/** Tries a one-time code of `/passwordless/start`. @throws {PosternError} as {@link refuseCode}. */
export async function ticketForCode(
  asked: Asked,
  sent: { readonly username: string; readonly otp: string; readonly realm: string },
): Promise<string> {
  const { tenant, client } = asked;
  const connection = await codeConnection(tenant, client, sent.realm);
  if (connection === undefined) throw invalidBody("'realm' names no connection by which the client's people get codes");
  const address = readCodeAddress(codeChannels(connection), sent.username);
  if (address === undefined) throw invalidBody("'username' is not where a code of this realm is sent to");
  const attempt = attemptAt(tenant, client, connection, ticketBeginning(asked, connection, "otp"));
  const tried = await signInWithCode({ ...attempt.request, address, code: sent.otp, clientId: client.record.client_id });
  const result = await attempt.settle<SignedIn<CodeLogin>, Refused<CodeLogin>>(tried);
  await result.recorded;
  if (result.kind !== "signed-in") refuseCode(result, address);
  return recorded(asked, connection, result);
}

/** A login that begins as a ticket. One that nobody is given needs no taking back: it ends by itself within minutes. */
function ticketBeginning(
  { tenant, client, browser }: Asked,
  connection: Row<"connections">,
  method: Proof["method"],
): Beginning<{ readonly ticket: string }> {
  const { client_id: clientId } = client.record;
  return {
    async begin(userId, account) {
      const proof = { userId, account, connectionId: connection.id, method, clientId, browser };
      return { ticket: await createLoginTicket(tenant.environment, tenant.data, proof) };
    },
    takeBack: async () => {},
  };
}

/** Puts on record that a ticket was made, and gives it. */
async function recorded(
  { tenant, client }: Asked,
  { id, name: connectionName, strategy }: Row<"connections">,
  { begun, user: { user_id, name } }: { readonly begun: { readonly ticket: string }; readonly user: Row<"users"> },
): Promise<string> {
  const { client_id, name: clientName } = client.record;
  await tenant.audit({
    type: "scoa",
    client: { client_id, name: clientName },
    connection: { id, name: connectionName, strategy },
    user: { user_id, name },
  });
  return begun.ticket;
}
