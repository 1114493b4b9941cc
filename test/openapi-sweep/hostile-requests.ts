import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { test } from "vitest";
import { bodyWith, placesOf } from "../../packages/testing/src/isolation/bodies.ts";
import type { ApiOperation } from "../../packages/testing/src/isolation/document.ts";
import { recordsOf } from "../../packages/testing/src/isolation/records.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { apiDescriptions } from "./description.ts";
import { hostileHeaders, hostileJson, hostileQueries, hostileSegments } from "./hostile.ts";
import { openSweptService, type SweptRequest } from "./service.ts";

/** The difference between a hostile request and the smallest request that the operation accepts. */
type Change = Omit<Partial<SweptRequest>, "path"> & {
  /** Path parameters, percent-encoded. */
  readonly segments?: { readonly [name: string]: string };
};

const { document, operations } = apiDescriptions.management;

/** The operations of the Management API, which all require a scope. */
const sweptOperations: readonly ApiOperation[] = operations.filter(({ scopes }) => scopes.length > 0);

const relevantRequests = new Map<ApiOperation, Promise<ReadonlySet<number>>>();

/**
 * Adds tests which require that every operation of the Management API responds to hostile values as it declares, on a
 * database. Sends only the requests that make a data call when the service runs in memory: a database cannot change the
 * response to other requests.
 *
 * @param open opens an empty database; called once per operation, so that no operation breaks another one.
 */
export function hostileRequestsOn(open: () => Promise<DataAdapter>): void {
  test.each(sweptOperations)("$title responds to hostile values as its document declares", { timeout: 120_000 }, async (operation) => {
    const relevant = relevantRequests.get(operation) ?? sendHostileRequests(operation);
    relevantRequests.set(operation, relevant);
    const indexes = await relevant;
    await sendHostileRequests(operation, { data: await open(), indexes });
  });
}

/**
 * Sends hostile requests to an operation, and requires that each response is declared. By default sends all of them to
 * a service in memory.
 *
 * @returns the indexes of the requests that made a data call. If a database is given, the indexes of all sent requests.
 */
async function sendHostileRequests(
  operation: ApiOperation,
  database?: { readonly data: DataAdapter; readonly indexes: ReadonlySet<number> },
): Promise<ReadonlySet<number>> {
  const counting = countingAdapter(createMemoryAdapter());
  const service = await openSweptService(database?.data ?? counting);
  const records = recordsOf(service.managedTenant("main"), apiDescriptions.management);
  const request = await records.request(operation);
  let token = await service.tokenOf("main");
  const send = async ({ segments, headers, ...rest }: Change): Promise<void> => {
    const path = segments && { path: await records.fill(operation.path, segments) };
    const response = await service.send(operation, {
      ...request,
      ...rest,
      ...path,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    // The request may have deleted the key that signed the token.
    if (response.status === 401) token = await service.tokenOf("main");
  };

  const sent = new Set<number>();
  for (const [index, change] of (await hostileChanges(operation, records)).entries()) {
    if (database !== undefined && !database.indexes.has(index)) continue;
    const { statements } = await counting.costOf(() => send(change));
    if (database !== undefined || statements.length > 0) sent.add(index);
  }
  return sent;
}

/** Lists the hostile requests for an operation, always in the same order. */
async function hostileChanges({ parameters, body }: ApiOperation, records: ReturnType<typeof recordsOf>): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const { name, in: place } of parameters) {
    if (place === "query") for (const [, query] of hostileQueries(name)) changes.push({ query: `?${query}` });
    if (place === "header") for (const [, value] of hostileHeaders) changes.push({ headers: { [name]: value } });
    if (place === "path") for (const [, segment] of hostileSegments) changes.push({ segments: { [name]: segment } });
  }
  for (const [, query] of hostileQueries("nonsense")) changes.push({ query: `?${query}` });
  if (body === undefined) return changes;
  const known = await records.known(body.schema);
  for (const { place } of placesOf(document, body.schema))
    for (const [, value] of hostileJson) changes.push({ body: bodyWith(document, body.schema, known, place, value) });
  return changes;
}
