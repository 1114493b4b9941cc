import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { codeChannels, type CodeAddress } from "../../identity/login/code-address.ts";
import { emailSchema } from "../../model/email-address.ts";
import { readPhoneNumber, unreadablePhone } from "../../model/phone-number.ts";
import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

/**
 * The fields with which requests name the client, the connection, and the email address or phone number that a code is
 * sent to.
 */
export const placeFields = {
  client_id: clientIdSchema,
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
  const read = await readAddressForChannel(connection, named);
  if ("channel" in read) return { connection, address: read };
  throw new PosternError(connection.strategy === "email" ? "bad.email" : "bad.phone_number", read.fault);
}

/**
 * Returns the email address or phone number to which the connection can send codes. Otherwise returns the fault in
 * English, for API clients.
 */
export async function readAddressForChannel(
  connection: Row<"connections">,
  { email, phone_number }: NamedPlace,
): Promise<CodeAddress | { readonly fault: string }> {
  const channels = codeChannels(connection);
  if (email !== undefined && channels.includes("email")) {
    const { data: text } = emailSchema.safeParse(email.trim());
    return text === undefined ? { fault: "'email' is not a valid email address" } : { channel: "email", text };
  }
  if (phone_number !== undefined && channels.includes("sms")) {
    const read = await readPhoneNumber(phone_number);
    if ("number" in read && read.isPossible) return { channel: "sms", text: read.number };
    return { fault: `'phone_number' ${"fault" in read ? read.fault : unreadablePhone.fault}` };
  }
  return { fault: "send 'email' if the connection sends codes by email, or 'phone_number' if it sends them by SMS" };
}
