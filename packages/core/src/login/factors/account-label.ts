import { maskAddress } from "../../identity/factors/mask-address.ts";
import type { Row } from "../../store/schema.ts";

/** Returns the name of an account in the user's authenticator. */
export function accountLabel({ email, phone_number: phone, username, user_id: id }: Row<"users">): string {
  return email || phone || username || id;
}

/** Returns the masked name of an account for a page behind a link. The visitor may be another person than the user. */
export function maskedAccount(user: Row<"users">): string {
  return maskAddress(accountLabel(user));
}
