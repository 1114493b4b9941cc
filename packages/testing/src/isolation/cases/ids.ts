import { allIds } from "../all-ids.ts";
import { bodyWith, placesOf, acceptsText } from "../bodies.ts";
import { startComparison } from "../comparison.ts";
import { NotApplicableToService, type IsolationDefinition, type Fixture } from "../definition.ts";
import { members, type ApiOperation } from "../document.ts";
import { parametersOf, recordsOf, type OperationRequest } from "../records.ts";

/** Whether an operation manages tenants. The path of such an operation names a tenant, not a resource in a tenant. */
const isTenantOperation = ({ path }: ApiOperation): boolean => !path.startsWith("/api/v2/");

/** Returns a case for each operation of the Management API that requires a token. */
export function idCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  return operations.map((operation) => ({
    name: `ids: ${operation.title}`,
    run: (fixture) =>
      isTenantOperation(operation)
        ? replayTenant(operation, fixture)
        : restoreAfter(operation, fixture, () => replayRecords(operation, fixture)),
  }));
}

async function replayRecords(operation: ApiOperation, fixture: Fixture): Promise<void> {
  const { method, path, parameters, body, document } = operation;
  const { stranger, ownerRecords, management } = fixture;
  // An operation that changes data gets separate resources, because it may delete them.
  const records = method === "GET" ? fixture.strangerRecords : recordsOf(stranger, management);
  const comparison = startComparison(fixture);
  const validRequest = await records.request(operation);
  const send = async (request: OperationRequest) => {
    const { path: at, ...sent } = request;
    return stranger.call(method, at, { ...sent, token: await stranger.token() });
  };

  const named = parametersOf(path);
  for (const [index, { name, place }] of named.entries()) {
    const id = await ownerRecords.id(place);
    // The parameter does not name a resource in a tenant. An example is the provider of an identity.
    if (id === (await records.id(place))) continue;
    const later = new Map<string, string>();
    for (const each of named.slice(index + 1)) later.set(each.name, encodeURIComponent(await ownerRecords.id(each.place)));
    await comparison.compare(`'${name}' in the path`, [id], async (value) => {
      return send({ ...validRequest, path: await records.fill(path, { ...Object.fromEntries(later), [name]: encodeURIComponent(value) }) });
    });
  }
  const ids = await allIds(fixture);
  for (const { name } of parameters.filter((parameter) => parameter.in === "query")) {
    await comparison.compare(`'${name}' in the query`, ids, (value) =>
      send({ ...validRequest, query: `?${new URLSearchParams({ [name]: value })}` }),
    );
  }
  if (method === "GET") await comparison.compare("the list", [""], () => send(validRequest));
  if (body !== undefined) {
    const known = await records.known(body.schema);
    for (const { place, schema } of placesOf(document, body.schema)) {
      if (!acceptsText(document, schema)) continue;
      await comparison.compare(`'${place.join(".")}' in the body`, ids, (value) =>
        send({ ...validRequest, body: bodyWith(document, body.schema, known, place, JSON.stringify(value)) }),
      );
    }
  }
  // The stranger tenant now has a resource with the same id as a resource of the owner, so this id no longer tells the
  // tenants apart.
  if (method !== "GET" && comparison.isAccepted) ownerRecords.renew();
  comparison.assertNoDifference();
}

/**
 * Runs a case. If it may change a singleton of the tenant, such as its settings, restores the earlier values
 * afterwards.
 */
async function restoreAfter({ method, path }: ApiOperation, { stranger: { manage } }: Fixture, run: () => Promise<void>): Promise<void> {
  if (method !== "PATCH" || path.includes("{")) return run();
  const before = await manage("GET", path);
  try {
    await run();
  } finally {
    const after = members((await manage("GET", path)).body);
    const earlier = members(before.body);
    const changed = [...new Set([...Object.keys(earlier), ...Object.keys(after)])].filter(
      (name) => JSON.stringify(earlier[name]) !== JSON.stringify(after[name]),
    );
    if (before.status === 200 && changed.length > 0)
      await manage("PATCH", path, Object.fromEntries(changed.map((name) => [name, earlier[name] ?? null])));
  }
}

/** Requires that the stranger cannot tell the owner tenant from a tenant that does not exist. */
async function replayTenant(operation: ApiOperation, fixture: Fixture): Promise<void> {
  const { method, path, body } = operation;
  const { owner, stranger } = fixture;
  if ((await stranger.manage("GET", "/tenants")).status === 200)
    throw new NotApplicableToService(`'${stranger.id}' is the control plane, which may list its tenants`);
  const comparison = startComparison(fixture);
  await comparison.compare("the tenant", [owner.id], async (value) =>
    stranger.call(method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(value)), {
      token: await stranger.token(),
      ...(body !== undefined && { body: { id: value, name: value, kind: "upgrade" } }),
    }),
  );
  comparison.assertNoDifference();
}
