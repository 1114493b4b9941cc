import { storedIndexes, storedKey, storedUnique, type CollectionDescription, type Filter } from "@postern/core/adapter";
import { isPinned, isRange, isSelective } from "../../../packages/kysely/src/choose-index.ts";
import type { RecordedCall } from "../../support/record-calls.ts";
import type { PlanDatabaseName } from "./compile.ts";

/** A plan, with everything that an exception can depend on. */
export interface JudgedPlan {
  readonly database: PlanDatabaseName;
  readonly call: RecordedCall;
  readonly description: CollectionDescription;
  readonly kind: string;
  readonly stage: "small" | "large";
  readonly statistics: "fresh" | "stale" | "no";
}

/** Plans that read more rows than they return, and why that is accepted. README.md in test/clusters lists the same reasons. */
export interface PlanException {
  readonly reason: string;
  readonly applies: (plan: JudgedPlan) => boolean;
}

export const exceptions: readonly PlanException[] = [
  {
    reason: "a search by a condition that no index serves reads along the list until the page is full",
    applies: ({ call, description }) => isSearchWithoutIndex(call, description),
  },
  {
    reason: "PostgreSQL without any statistics expects one row for two equalities, so that several indexes cost the same",
    applies: ({ database, statistics, stage }) => database === "postgres" && statistics === "no" && stage === "large",
  },
  {
    reason: "PostgreSQL keeps the plan of a prepared statement that was made when the tables were small, until they are analyzed",
    applies: ({ database, kind, stage }) => database === "postgres" && kind === "generic" && stage === "small",
  },
  {
    reason: "PostgreSQL with statistics of a table that has since grown a thousandfold treats values that are missing from them as rare",
    applies: ({ database, statistics, stage, kind, call: { collection } }) =>
      database === "postgres" && statistics === "stale" && stage === "large" && kind === "custom" && rareWhenStale.has(collection),
  },
  {
    reason: "the expired sign-in attempts of one tenant are found among those of all tenants, which sweep deletes",
    applies: ({ call: { collection, method } }) => collection === "login_attempts" && method === "delete",
  },
  {
    reason: "the copies of the control plane's roles and APIs are read along the key, because a tenant has few of them",
    applies: ({ call: { collection, where } }) => (collection === "roles" || collection === "resource_servers") && "origin" in where,
  },
  {
    reason: "the seed reads the roles of one tenant by their name in lower case, once per start",
    applies: ({ call: { collection, where } }) => collection === "roles" && typeof where["name_folded"] === "string",
  },
  {
    reason: "sweep looks for tenants whose deletion began among all tenants",
    applies: ({ call: { collection, where } }) => collection === "tenants" && "lease_until" in where && "deleting_at" in where,
  },
];

/** Collections in whose indexes a field with few values, or a time, comes before the fields that select rows. */
const rareWhenStale: ReadonlySet<string> = new Set([
  "client_grants",
  "connections",
  "consents",
  "logs",
  "organization_members",
  "sessions",
  "users",
]);

function isSearchWithoutIndex({ where, filter }: RecordedCall, description: CollectionDescription): boolean {
  const isContained = Object.values(where).some(
    (condition) => typeof condition === "object" && condition !== null && "contains" in condition,
  );
  if (isContained) return true;
  if (filter === undefined) return false;
  const served = new Set(
    [storedKey(description), ...storedUnique(description), ...storedIndexes(description)].flatMap((index) => {
      const end = index.findIndex((field) => !isPinned(where[field]) || (isSelective(where[field]) && field !== "tenant_id"));
      return end === -1 ? [] : index.slice(end, end + 1);
    }),
  );
  const parts = "and" in filter ? filter.and : [filter];
  return !parts.some((part) => isServed(part, served)) && !Object.values(where).some(isRange);
}

function isServed(part: Filter, served: ReadonlySet<string>): boolean {
  if ("and" in part || "not" in part) return false;
  if ("or" in part) {
    const fields = new Set(part.or.map((each) => ("field" in each && each.op === "eq" ? each.field : "")));
    return fields.size === 1 && [...fields].every((field) => served.has(field));
  }
  return part.path === undefined && part.op !== "contains" && part.op !== "exists" && served.has(part.field);
}
