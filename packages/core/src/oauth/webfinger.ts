import * as z from "zod";
import { PosternError } from "../errors.ts";
import { providerForDomain } from "../login/upstream/providers.ts";
import { route } from "../tenants/callers/route-context.ts";

const issuerRelation = "http://openid.net/specs/connect/1.0/issuer";

const descriptorSchema = z
  .strictObject({ subject: z.string(), links: z.array(z.strictObject({ rel: z.string(), href: z.string() })) })
  .meta({ id: "ResourceDescriptor", description: "A JSON Resource Descriptor (RFC 7033 section 4.4)" });

/**
 * Returns the issuer for an email address (RFC 7033, OpenID Connect Discovery section 2): this tenant, if the domain is
 * listed in the `domain_aliases` of a connection. Reveals only domains, never users.
 */
export const webfinger = route({
  method: "GET",
  path: "/.well-known/webfinger",
  summary: "Find the issuer for an email address or a domain",
  scopes: "public",
  cors: "any",
  query: z.looseObject({
    resource: z.string().min(1).max(1000).meta({ description: "`acct:ann@corp.example`, or `urn:auth0:discovery:domain:corp.example`" }),
    rel: z.string().max(300).exactOptional(),
  }),
  responses: { 200: descriptorSchema, 404: { error: "not_found" } },
})(async ({ query: { resource, rel } }, { tenant }) => {
  const [, domain = ""] = /^(?:acct:[^@]+@|mailto:[^@]+@|urn:[a-z0-9]+:discovery:domain:)([^@/?#]+)$/i.exec(resource) ?? [];
  if (domain === "" || (await providerForDomain(tenant, domain)) === undefined)
    throw new PosternError("not_found", "no identity provider is configured for this domain");
  const links = rel === undefined || rel === issuerRelation ? [{ rel: issuerRelation, href: tenant.urls.issuer }] : [];
  return { subject: resource, links };
});
