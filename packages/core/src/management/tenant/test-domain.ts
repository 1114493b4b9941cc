import * as z from "zod";
import { DeadlineError } from "../../adapters/deadline.ts";
import { ForbiddenAddressError } from "../../adapters/network.ts";
import { causesOf } from "../../logs/fault-text.ts";
import type { Row } from "../../store/schema.ts";
import type { customDomainTestSchema } from "../../model/tenant/custom-domains.ts";
import { DocumentUnavailableError, fetchPublicDocument } from "../../tenants/external-clients/fetch-public.ts";
import { issuerOfDomain } from "../../tenants/hosts.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The maximum size of a discovery document in bytes. */
const maximumBytes = 64_000;

const discoverySchema = z.looseObject({ issuer: z.string() });

/**
 * Tests whether requests to a custom domain reach this service: requests its discovery document, as apps do. The
 * message contains no IP address, because a tenant may learn nothing about the network of the host application.
 */
export async function testDomain(
  tenant: RequestTenant,
  { domain, status }: Pick<Row<"custom_domains">, "domain" | "status">,
): Promise<z.infer<typeof customDomainTestSchema>> {
  if (status !== "ready") return { success: false, message: "The domain is not verified yet." };
  const issuer = issuerOfDomain(tenant, domain);
  try {
    const { text } = await fetchPublicDocument(tenant, `${issuer}.well-known/openid-configuration`, maximumBytes, "custom_domain");
    const isOurs = discoverySchema.safeParse(parseJson(text)).data?.issuer === issuer;
    return isOurs
      ? { success: true, message: `The domain leads to this service, with the issuer ${issuer}` }
      : { success: false, message: `The domain leads to another server: its issuer is not ${issuer}` };
  } catch (error) {
    if (error instanceof DocumentUnavailableError)
      return { success: false, message: `The domain does not lead to this service: ${reasonOf(error) ?? error.message}` };
    throw error;
  }
}

/** The reasons of failed connections, by the code of the error. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^(ENOTFOUND|ENODATA)$/, "its name has no DNS record with an IP address"],
  [/^ECONNREFUSED$/, "its server accepts no connections"],
  [/^ETIMEDOUT$/, "its server did not respond in time"],
  [/CERT|^ERR_TLS_|^UNABLE_TO_/, "its server has no valid certificate for this name"],
];

/** Returns why the domain could not be requested, without an address; undefined if the reason is not a known one. */
function reasonOf(error: DocumentUnavailableError): string | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof ForbiddenAddressError) return cause.publicMessage;
    if (cause instanceof DeadlineError) return "its server did not respond in time";
    const code = "code" in cause ? String(cause.code) : "";
    const [, reason] = reasons.find(([pattern]) => pattern.test(code)) ?? [];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
