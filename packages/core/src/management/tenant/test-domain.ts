import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { customDomainTestSchema } from "../../model/tenant/custom-domains.ts";
import { DocumentUnavailableError, fetchPublicDocument } from "../../tenants/external-clients/fetch-public.ts";
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
  const issuer = `https://${domain}${tenant.urls.basePath}`;
  try {
    const { text } = await fetchPublicDocument(tenant, `${issuer}.well-known/openid-configuration`, maximumBytes, "custom_domain");
    const isOurs = discoverySchema.safeParse(parseJson(text)).data?.issuer === issuer;
    return isOurs
      ? { success: true, message: `The domain leads to this service, with the issuer ${issuer}` }
      : { success: false, message: `The domain leads to another server: its issuer is not ${issuer}` };
  } catch (error) {
    if (error instanceof DocumentUnavailableError)
      return { success: false, message: `The domain does not lead to this service: ${error.message}` };
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
