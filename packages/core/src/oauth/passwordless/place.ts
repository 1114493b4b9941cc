import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { codeChannels, readCodeAddress, type CodeAddress } from "../../identity/login/code-address.ts";
import { readPhoneNumber } from "../../identity/users/phone-number.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/**
 * The fields with which requests name the client, the connection, and the email address or phone number that a code is
 * sent to.
 */
export const placeFields = {
  client_id: z.string().min(1).max(64),
  connection: z
    .string()
    .max(128)
    .exactOptional()
    .meta({ description: "`email` or `sms`, or the name of a connection of these strategies" }),
  email: z.string().max(1000).exactOptional(),
  phone_number: z.string().max(1000).exactOptional().meta({ description: "In international form, such as `+4915112345678`" }),
};

/** The values of {@link placeFields}, without the client. */
export interface NamedPlace {
  readonly connection?: string;
  readonly email?: string;
  readonly phone_number?: string;
}

/** The email address or phone number that a code is sent to, and the connection that the code is valid for. */
export interface NamedAddress {
  readonly connection: Row<"connections">;
  readonly address: CodeAddress;
}

/**
 * Returns the passwordless connection with this name, or the first one whose strategy has this name. Undefined if the
 * client offers no such connection.
 */
export async function codeConnection(
  tenant: RequestTenant,
  client: RegisteredClient,
  named: string | undefined,
  organizationId?: string,
): Promise<Row<"connections"> | undefined> {
  const offered = (await tenant.connections.offeredBy(client, organizationId)).filter(
    ({ strategy }) => strategy === "email" || strategy === "sms",
  );
  return offered.find(({ name }) => name === named) ?? offered.find(({ strategy }) => strategy === named);
}

/**
 * Returns the connection, and the email address or phone number that a code is sent to.
 * @throws {PosternError} `bad.connection`, `bad.email` or `bad.phone_number`. The errors do not depend on whether an
 * account exists.
 */
export async function namedAddress(
  tenant: RequestTenant,
  client: RegisteredClient,
  named: NamedPlace,
  organizationId?: string,
): Promise<NamedAddress> {
  const connection = await codeConnection(tenant, client, named.connection, organizationId);
  if (connection === undefined)
    throw new PosternError("bad.connection", "'connection' must be a passwordless connection that is enabled for this client");
  const address = await readAddressForChannel(connection, named);
  if (address !== undefined) return { connection, address };
  if (connection.strategy === "email") throw new PosternError("bad.email", "'email' is not a valid email address");
  throw new PosternError("bad.phone_number", "'phone_number' must be a phone number in international form");
}

/**
 * Returns the email address or phone number to which the connection can send codes; undefined if it is missing or
 * invalid.
 */
export async function readAddressForChannel(
  connection: Row<"connections">,
  { email, phone_number }: NamedPlace,
): Promise<CodeAddress | undefined> {
  const channels = codeChannels(connection);
  if (email !== undefined && channels.includes("email")) return readCodeAddress(["email"], email);
  const phone = phone_number === undefined || !channels.includes("sms") ? undefined : await readPhoneNumber(phone_number);
  return phone === undefined ? undefined : { channel: "sms", text: phone };
}
