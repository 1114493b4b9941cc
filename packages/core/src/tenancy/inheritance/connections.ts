import type { Row } from "../../data/schema.ts";
import type { JsonObject } from "../../data/value.ts";
import { openSecrets } from "../../domain/connection-secrets.ts";
import type { Environment } from "../../domain/environment.ts";
import { borrows, withLent } from "../../model/connections/lending.ts";
import type { OwnSettings } from "../own-settings.ts";
import { keepsToItself } from "./kept.ts";
import type { Source } from "./source.ts";

type Connection = Row<"connections">;

/** A tenant's connections with the options that count: what they inherit is filled in. Their secrets stay where they are, see {@link secretsOf}. */
export function withInherited(own: readonly Connection[], lenders: readonly Connection[]): readonly Connection[] {
  const known = merged.get(own);
  if (known?.lenders === lenders) return known.connections;
  const connections = own.map((row) => {
    const lender = lenderOf(row, lenders);
    return lender === undefined ? row : { ...row, options: withLent(row, lender) };
  });
  merged.set(own, { lenders, connections });
  return connections;
}

/** Both lists are those of the cache: while neither was loaded anew, they give the same. */
const merged = new WeakMap<
  readonly Connection[],
  { readonly lenders: readonly Connection[]; readonly connections: readonly Connection[] }
>();

/**
 * The secrets of a tenant's connection, opened, by their paths: its own, or those of the connection that it inherits from. The one place where such a secret is opened for use.
 * @throws where no key of the ring opens them.
 */
export async function secretsOf(
  environment: Pick<Environment, "sealer">,
  own: OwnSettings,
  source: Source | undefined,
  connectionId: string,
): Promise<JsonObject> {
  const [rows, lenders = []] = await Promise.all([own.connections(), source?.own.connections()]);
  const row = rows.find(({ id }) => id === connectionId);
  if (row === undefined) return {};
  const lender = lenderOf(row, lenders);
  return source === undefined || lender === undefined
    ? openSecrets(environment, own.data, row)
    : openSecrets(environment, source.own.data, lender);
}

function lenderOf(row: Connection, lenders: readonly Connection[]): Connection | undefined {
  return lenders.find((lender) => borrows(row, lender) && !keepsToItself(lender.settings));
}
