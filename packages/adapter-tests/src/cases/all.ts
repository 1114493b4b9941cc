import { schema, type CollectionName } from "@postern/core/adapter";
import type { CaseDefinition } from "../definition.ts";
import { collectionCases } from "./collections.ts";
import { faultCases } from "./faults.ts";
import { filterCases } from "./filter.ts";
import { insertCases } from "./insert.ts";
import { pageCases } from "./pages.ts";
import { raceCases } from "./races.ts";
import { tenantCases } from "./tenants.ts";
import { textCases } from "./text.ts";
import { transactionCases } from "./transactions.ts";
import { updateCases } from "./update.ts";
import { valueCases } from "./values.ts";
import { whereCases } from "./where.ts";

/** The names of all collections in the schema. */
export const collectionNames: readonly CollectionName[] = Object.values(schema).map((description) => description.name);

/** All cases of the contract. */
export const definitions: readonly CaseDefinition[] = [
  ...insertCases,
  ...updateCases,
  ...whereCases,
  ...textCases,
  ...pageCases,
  ...valueCases,
  ...filterCases,
  ...raceCases,
  ...transactionCases,
  ...tenantCases,
  ...faultCases,
  ...collectionNames.flatMap(collectionCases),
];
