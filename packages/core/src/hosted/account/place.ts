import { isReturnUrl } from "../../authorization/return-url.ts";
import { PosternError } from "../../errors.ts";
import { returnLink, type ReturnLink } from "../../login/return-link.ts";
import { clientNameOf } from "../../branding/client-name.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { isTrusted } from "../../model/clients/external.ts";
import type { AccountSectionName } from "../../model/tenant/account-page.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { accountPath } from "../../tenants/ticket-links.ts";

/** The parameters that say from where a visitor came to the account page. */
export interface SentPlace {
  /** The id of the client's record. */
  readonly client_id?: string | undefined;
  readonly returnTo?: string | undefined;
}

/** From where a visitor came to the account page. All links and forms of the page contain it. */
export interface AccountPlace {
  readonly tenant: RequestTenant;
  /** The client that the page belongs to. Undefined if neither the URL nor the tenant names one. */
  readonly client: RegisteredClient | undefined;
  /** The parameters of links and forms: the tenant, the client and the return URL, as far as they were sent. */
  readonly parameters: { readonly [name: string]: string };
  /** The link that leads back to the application. Undefined if no URL is known. */
  readonly back: ReturnLink | undefined;
}

/**
 * Reads from where a visitor came. The client is the one in the URL, otherwise the tenant's default client.
 * @throws {PosternError} `invalid_request` if the sent client is unknown or a third-party client, or if no callback of the
 * client has the origin of the return URL.
 */
export async function readPlace(tenant: RequestTenant, { client_id: sent, returnTo }: SentPlace): Promise<AccountPlace> {
  const clientId = sent ?? tenant.settings.account_page?.client_id;
  const found = clientId === undefined ? undefined : await tenant.client(clientId);
  const client = found !== undefined && isTrusted(found.record) ? found : undefined;
  if (sent !== undefined && client === undefined)
    throw new PosternError("invalid_request", "'client_id' must be a first-party client of this tenant");
  if (returnTo !== undefined && !isReturnUrl(client, returnTo))
    throw new PosternError("invalid_request", "'returnTo' must have the origin of one of the client's callback URLs");
  const named = client && clientNameOf(client);
  return {
    tenant,
    client,
    parameters: {
      ...tenant.tenantParameter,
      ...(sent !== undefined && { client_id: sent }),
      ...(returnTo !== undefined && { returnTo }),
    },
    back: returnTo === undefined ? returnLink(tenant, client) : { href: returnTo, ...(named !== undefined && { clientName: named }) },
  };
}

/**
 * Returns the URL of the account page or of one of its sections. It names the tenant, so that the page never changes to a
 * session of another tenant.
 * @param section Default: the page that lists the sections.
 */
export function accountUrl({ tenant, parameters }: AccountPlace, section?: AccountSectionName, state: object = {}): string {
  const url = new URL(tenant.urls.urlFor(section === undefined ? accountPath : `${accountPath}/${section}`));
  for (const [name, value] of Object.entries({ ...parameters, ...state })) if (typeof value === "string") url.searchParams.set(name, value);
  return url.href;
}
