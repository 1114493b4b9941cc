import type { Row } from "../store/schema.ts";
import { putBackToken, takeToken, type Quota, type Remaining } from "../tokens/token-quota.ts";
import { PosternError } from "../errors.ts";
import { organizationTokenQuota } from "../model/organizations/stored-settings.ts";
import type { TokenQuota } from "../model/token-quota.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** The client or organization whose tokens are counted, and the header that reports the remaining tokens. */
interface Holder {
  readonly subject: string;
  readonly quota: Quota;
  readonly refusal: string;
  /** Auth0's SDKs read this header. */
  readonly header: string;
}

/**
 * Counts a token against the quotas of the client and of the organization. Each of them has a custom quota, the
 * tenant's default quota, or no quota.
 * @returns text for the log that names the exceeded quotas that are not enforced; undefined if there are none.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if an enforced quota is exceeded. Then nothing is counted.
 */
export async function takeFromQuotas(
  tenant: RequestTenant,
  client: RegisteredClient,
  organization: Row<"organizations"> | undefined,
): Promise<string | undefined> {
  const { default_token_quota: defaults } = tenant.settings;
  const holders: readonly Holder[] = [
    ...holder("client", client.record.client_id, client.settings.token_quota ?? defaults?.clients),
    ...(organization ? holder("organization", organization.id, organizationTokenQuota(organization) ?? defaults?.organizations) : []),
  ];
  const counted: Holder[] = [];
  const exceeded: string[] = [];
  for (const each of holders) {
    const left = await takeToken(tenant, each.subject, each.quota);
    if (left === undefined) counted.push(each);
    else if (each.quota.enforce === false) exceeded.push(`${each.refusal}, and is not enforced`);
    else {
      for (const { subject } of counted) await putBackToken(tenant, subject);
      throw usedUp(each, left);
    }
  }
  return exceeded.length === 0 ? undefined : exceeded.join("; ");
}

function holder(kind: "client" | "organization", id: string, quota: TokenQuota | undefined): Holder[] {
  if (quota === undefined) return [];
  const header = kind === "client" ? "Auth0-Client-Quota-Limit" : "Auth0-Organization-Quota-Limit";
  return [{ subject: `${kind}:${id}`, quota: quota.client_credentials, refusal: `the token quota of the ${kind} is used up`, header }];
}

function usedUp({ refusal, header }: Holder, left: readonly Remaining[]): PosternError {
  const wait = Math.max(...left.filter(({ remaining }) => remaining === 0).map(({ resetAfter }) => resetAfter));
  const windows = left.map(({ window, limit, remaining, resetAfter }) => `b=${window};q=${limit};r=${remaining};t=${resetAfter}`);
  return new PosternError("TOO_MANY_REQUESTS", refusal, { headers: { "retry-after": String(wait), [header]: windows.join(",") } });
}
