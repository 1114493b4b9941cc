import type { Filter } from "@postern/core/adapter";

/** Returns a condition on a field. */
export const leaf = (field: string, op: "eq" | "prefix" | "gte" | "lt", value: string | number): Filter => ({ field, op, value });

const any = (...or: readonly Filter[]): Filter => ({ or });

const between = (field: string, from: string | number, to: string | number): Filter => ({
  and: [leaf(field, "gte", from), leaf(field, "lt", to)],
});

const [organizationName, organizationTitle] = [/postern_organizations_(by_name|unique_name)/, /postern_organizations_by_display_name/];
const [apiName, apiIdentifier] = [/postern_resource_servers_by_name/, /postern_resource_servers_unique_identifier/];
/** The primary key, or the index of rows that are not being deleted, if the plan reads a range of ids in it. */
const key = /pk|pkey|PRIMARY|autoindex|across_deleting_at_tenant_id_(client_)?id \(deleting_at=\? AND tenant_id=\? AND/;

/** Every kind of condition on each field that `clients/search`, `organizations/search` and `resource-servers/search` allow. */
export const searchedFields: readonly (readonly [
  collection: "clients" | "organizations" | "resource_servers",
  filter: Filter,
  /** The indexes of the plan: one for each field. */
  indexes: readonly RegExp[],
])[] = [
  ["clients", leaf("client_id", "eq", "client-77"), [key]],
  ["clients", leaf("client_id", "prefix", "client-77"), [key]],
  ["clients", leaf("name", "eq", "App 77"), [/postern_clients_by_name/]],
  ["clients", between("name", "App 77", "App 78"), [/postern_clients_by_name/]],
  ["clients", between("created_at", 1_700_000_005_000, 1_700_000_005_010), [/postern_clients_by_created_at/]],
  ["clients", any(leaf("client_id", "eq", "client-77"), leaf("name", "prefix", "App 77")), [key, /postern_clients_by_name/]],
  ["organizations", leaf("id", "eq", "org_77"), [key]],
  ["organizations", leaf("id", "prefix", "org_77"), [key]],
  ["organizations", leaf("name", "prefix", "org-77"), [organizationName]],
  ["organizations", leaf("display_name", "prefix", "Organization 77"), [organizationTitle]],
  ["organizations", between("created_at", 1_700_000_005_000, 1_700_000_005_010), [/postern_organizations_by_created_at/]],
  [
    "organizations",
    any(leaf("name", "prefix", "org-77"), leaf("display_name", "prefix", "Organization 77")),
    [organizationName, organizationTitle],
  ],
  ["resource_servers", leaf("id", "eq", "api_77"), [key]],
  ["resource_servers", leaf("identifier", "eq", "https://api77.example.com"), [apiIdentifier]],
  ["resource_servers", leaf("identifier", "prefix", "https://api77"), [apiIdentifier]],
  ["resource_servers", leaf("name", "eq", "API 77"), [apiName]],
  ["resource_servers", leaf("name", "prefix", "API 77"), [apiName]],
  ["resource_servers", between("created_at", 1_700_000_005_000, 1_700_000_005_010), [/postern_resource_servers_by_created_at/]],
  ["resource_servers", any(leaf("name", "prefix", "API 77"), leaf("identifier", "prefix", "https://api77")), [apiName, apiIdentifier]],
];

/** The fields by which these searches sort, with the key that follows. */
export const searchSorts = {
  clients: [["created_at", "client_id"], ["name", "client_id"], ["client_id"]],
  organizations: [
    ["created_at", "id"],
    ["name", "id"],
    ["display_name", "id"],
  ],
  resource_servers: [
    ["created_at", "id"],
    ["name", "id"],
  ],
} as const;
