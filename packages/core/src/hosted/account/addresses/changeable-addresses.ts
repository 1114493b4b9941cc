import type { AddressKind } from "../../../identity/users/change-address.ts";
import { signUpFields } from "../../../identity/users/sign-up-fields.ts";
import { canMail, canText } from "../../../messages/send.ts";
import type { AccountVisit } from "../visit.ts";

/**
 * Returns the addresses that the user can change. An identity provider sets the addresses of its accounts, and an account
 * that signs in with codes by email keeps its email address, as in the Management API. A user of a password database can
 * also add an address that the connection uses.
 */
export async function changeableAddresses({ tenant, user }: AccountVisit): Promise<readonly AddressKind[]> {
  const connection = await tenant.connections.named(user.connection);
  if (connection === undefined) return [];
  if (connection.strategy === "sms") return canText(tenant) ? ["phone"] : [];
  if (connection.strategy !== "auth0") return [];
  const { email, phone_number: phone } = signUpFields(connection);
  return [
    ...(canMail(tenant) && (email !== "inactive" || user.email !== "") ? (["email"] as const) : []),
    ...(canText(tenant) && (phone !== "inactive" || user.phone_number !== null) ? (["phone"] as const) : []),
  ];
}
