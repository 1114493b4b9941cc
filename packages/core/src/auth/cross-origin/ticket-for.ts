import type { Row } from "../../data/schema.ts";
import { codeChannels, readCodeAddress } from "../../domain/login/code-address.ts";
import { signInWithCode } from "../../domain/login/code-login.ts";
import { createLoginTicket } from "../../domain/login/login-ticket.ts";
import { signInWithPassword } from "../../domain/login/password-login.ts";
import type { AuditEvent } from "../../domain/audit.ts";
import { refuseCode } from "../../login/code-sign-in.ts";
import { refusePassword } from "../../login/password-sign-in.ts";
import { connectionFor, possibleProofs } from "../../login/possible-proofs.ts";
import type { Proof } from "../../login/proof.ts";
import { recordTries } from "../../login/record-tries.ts";
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
  const making = makeTicket(asked, connection, "pwd");
  const result = await signInWithPassword({
    ...triedAt(asked, connection),
    identifier: sent.username,
    password: sent.password,
    protection: attackProtection(tenant.record),
    begin: making.begin,
  });
  await recordTries(tenant, client, result.events);
  if (result.kind !== "signed-in") refusePassword(result);
  return making.settle(result.user);
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
  const making = makeTicket(asked, connection, "otp");
  const result = await signInWithCode({
    ...triedAt(asked, connection),
    address,
    code: sent.otp,
    clientId: client.record.client_id,
    begin: making.begin,
  });
  await recordTries(tenant, client, result.events);
  if (result.kind !== "signed-in") refuseCode(result, address);
  return making.settle(result.user);
}

/** What every try is made of. */
function triedAt({ tenant }: Asked, connection: Row<"connections">) {
  const { environment, data, requestInfo } = tenant;
  const { rateLimiter: limiter, wait } = environment;
  return { environment, data, tenantId: tenant.id, connection, ip: requestInfo.ip, limiter, wait };
}

/** The ticket is made before the login is decided, as a session would be: whoever takes the password or the account away meanwhile makes it void. */
function makeTicket({ tenant, client, browser }: Asked, connection: Row<"connections">, method: Proof["method"]) {
  const { environment, data } = tenant;
  const { client_id: clientId } = client.record;
  let ticket = "";
  return {
    begin: async (userId: string, account: Row<"users">): Promise<void> => {
      const proof = { userId, account, connectionId: connection.id, method, clientId, browser };
      ticket = await createLoginTicket(environment, data, proof);
    },
    settle: async ({ user_id, name }: Row<"users">): Promise<string> => {
      const { id, name: connectionName, strategy } = connection;
      await tenant.audit({ type: "scoa", ...named(client), connection: { id, name: connectionName, strategy }, user: { user_id, name } });
      return ticket;
    },
  };
}

function named({ record: { client_id, name } }: Client): Pick<AuditEvent, "client"> {
  return { client: { client_id, name } };
}
