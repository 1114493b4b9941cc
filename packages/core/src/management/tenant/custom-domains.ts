import { findOne } from "../../store/find-one.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { schema, type Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema, listResponse, searchQuerySchema } from "../../http/pagination.ts";
import {
  claimLifetime,
  createCustomDomainSchema,
  customDomainSchema,
  customDomainTestSchema,
  fromUpdateCustomDomain,
  toCustomDomain,
  updateCustomDomainSchema,
} from "../../model/tenant/custom-domains.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { listRoute } from "../kit/list.ts";
import { testDomain } from "./test-domain.ts";
import { verifyDomain } from "./verify-domain.ts";

const path = "/api/v2/custom-domains";
const missing = { 404: "inexistent_custom_domain" } as const;

const search: SearchTable = {
  fields: {
    custom_domain_id: { field: "id", type: "string" },
    domain: { field: "domain", type: "string", contains: true },
    status: { field: "status", type: "string" },
    type: { field: "type", type: "string" },
    created_at: { field: "created_at", type: "instant" },
  },
  words: [{ field: "domain", type: "string", contains: true }],
};

const listDomains = route({
  method: "GET",
  path,
  summary: "List custom domains",
  description: "The default page size is 100.",
  scopes: ["read:custom_domains"],
  query: searchQuerySchema,
  responses: { 200: listResponse("custom_domains", customDomainSchema) },
})(async ({ query }, { tenant }) =>
  listRoute(tenant, query, {
    collection: tenant.data.custom_domains,
    description: schema.custom_domains,
    where: {},
    key: "custom_domains",
    defaultSort: { field: "created_at", direction: "asc" },
    perPage: 100,
    search,
    present: (rows) => rows.map((row) => toCustomDomain(row, tenant.now())),
  }),
);

const create = route({
  method: "POST",
  path,
  summary: "Add a custom domain",
  description:
    "After verification by the TXT record in the response, the tenant is available at the domain, and the domain is an issuer. Until then, other tenants can also add it. A domain that is not verified within seven days expires.",
  scopes: ["create:custom_domains"],
  body: createCustomDomainSchema,
  responses: { 201: customDomainSchema, 409: { error: "conflict" } },
})(async ({ body }, { tenant }) => {
  const { domain, type, verification_method: _, ...settings } = body;
  const now = tenant.now();
  const row: Row<"custom_domains"> = {
    id: tenant.random.record("cd_"),
    domain,
    type,
    status: "pending_verification",
    is_default: false,
    verification: { token: tenant.random.token(24) },
    settings: fromUpdateCustomDomain({}, settings),
    revision: 0,
    created_at: now,
    updated_at: now,
    verified_at: null,
    expires_at: now + claimLifetime,
  };
  // Deletes an expired claim of the same tenant, so that the domain can be added again.
  await tenant.data.custom_domains.delete({ domain, expires_at: { lte: now } });
  // The error must not reveal which tenant has the domain.
  const free = !(await tenant.directory.isAnothersHost(domain));
  if (!free || !(await tenant.data.custom_domains.insert([row]))) throw new PosternError("conflict", "this domain is already in use");
  return toCustomDomain(row, now);
});

const get = route({
  method: "GET",
  path: `${path}/:id`,
  summary: "Get a custom domain",
  scopes: ["read:custom_domains"],
  query: listFieldSelectionSchema,
  responses: { 200: customDomainSchema, ...missing },
})(async ({ params }, { tenant }) => toCustomDomain(await read(tenant, params.id), tenant.now()));

const update = route({
  method: "PATCH",
  path: `${path}/:id`,
  summary: "Update a custom domain",
  scopes: ["update:custom_domains"],
  body: updateCustomDomainSchema,
  responses: { 200: customDomainSchema, ...missing, 409: { error: "conflict" } },
})(async ({ params, body }, { tenant }) => {
  const changed = await changeRow(tenant.data.custom_domains, { id: params.id }, (row) => ({
    settings: fromUpdateCustomDomain(row.settings, body),
    updated_at: tenant.now(),
  }));
  return toCustomDomain(requireRow(changed, "domain", noSuchDomain), tenant.now());
});

const verify = route({
  method: "POST",
  path: `${path}/:id/verify`,
  operation: "customDomains.verify",
  summary: "Verify a custom domain",
  description: "Checks the TXT record. If the check fails, the domain stays `pending_verification`, and `error_msg` contains the reason.",
  scopes: ["create:custom_domains"],
  responses: { 200: customDomainSchema, ...missing },
})(async ({ params }, { tenant }) => {
  const row = await verifyDomain(tenant, await read(tenant, params.id));
  if (row === undefined) throw noSuchDomain();
  return toCustomDomain(row, tenant.now());
});

const test = route({
  method: "POST",
  path: `${path}/:id/test`,
  operation: "customDomains.test",
  summary: "Test whether a custom domain leads to this service",
  description: "Requests the discovery document of the domain. `message` contains the reason if the test fails.",
  scopes: ["read:custom_domains"],
  responses: { 200: customDomainTestSchema, ...missing },
})(async ({ params }, { tenant }) => testDomain(tenant, await read(tenant, params.id)));

const remove = route({
  method: "DELETE",
  path: `${path}/:id`,
  summary: "Delete a custom domain",
  description:
    "The tenant is no longer available at the domain, and tokens with this issuer are rejected. Returns 204 even if the domain does not exist, so that a call can be retried.",
  scopes: ["delete:custom_domains"],
  responses: { 204: null },
})(async ({ params }, { tenant }) => {
  const row = await find(tenant, params.id);
  if (row === undefined) return;
  const { custom_domains: domains } = tenant.data;
  // From here on, the domain is not an issuer, and a verification that is in progress cannot make it one.
  await domains.update({ id: row.id }, { set: { status: "failed" }, add: { revision: 1 } });
  await tenant.directory.releaseHost(row.domain);
  await domains.delete({ id: row.id });
});

/** The routes for custom domains. */
export const customDomainRoutes = [listDomains, create, get, update, verify, test, remove];

async function find({ data }: RequestTenant, id: string): Promise<Row<"custom_domains"> | undefined> {
  const row = await findOne(data.custom_domains, { id });
  return row;
}

async function read(tenant: RequestTenant, id: string): Promise<Row<"custom_domains">> {
  const row = await find(tenant, id);
  if (row === undefined) throw noSuchDomain();
  return row;
}

function noSuchDomain(): PosternError {
  return new PosternError("not_found", "there is no such custom domain", { errorCode: "inexistent_custom_domain" });
}
