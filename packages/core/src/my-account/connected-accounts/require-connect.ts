import { PosternError } from "../../errors.ts";
import { linkableProviders } from "../../login/upstream/linkable-providers.ts";
import { isTrusted } from "../../model/clients/external.ts";
import type { Row } from "../../store/schema.ts";
import type { MeContext } from "../me-route.ts";
import { requireChange } from "../require-change.ts";
import { requireSection } from "../require-section.ts";

/**
 * Requires that a client may connect an account for the user of its token now.
 * @throws {PosternError} `forbidden` if the account page does not serve the client, or does not let users link accounts.
 * Otherwise the errors of {@link requireChange}.
 */
export async function requireConnect(context: MeContext): Promise<void> {
  if (!isTrusted(context.client.record))
    throw new PosternError("forbidden", "only a first-party client that an administrator created can connect accounts");
  await requireChange(context);
  requireSection(context.tenant, "linked_accounts");
}

/**
 * Returns a connection with which the user can link an account.
 * @throws {PosternError} `invalid_request` if it does not exist, is not offered, or if an account of it is linked.
 */
export async function requireLinkable(
  { tenant, client, mfaToken }: MeContext,
  isWanted: (connection: Row<"connections">) => boolean,
): Promise<Row<"connections">> {
  const connection = (await linkableProviders(tenant, client, mfaToken.user)).find(isWanted);
  if (connection === undefined)
    throw new PosternError("invalid_request", "the connection is not offered for a link, or an account of it is linked already");
  return connection;
}
