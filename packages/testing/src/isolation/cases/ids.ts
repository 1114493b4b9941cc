import { allIds } from "../all-ids.ts";
import { bodyWith, placesOf, takesText } from "../bodies.ts";
import { compare } from "../compare.ts";
import { NotApplicable, type Definition, type Room } from "../definition.ts";
import { members, type Operation } from "../document.ts";
import { parametersOf, recordsOf, type Asked } from "../records.ts";

/** Tenants and their operations have no ids of a tenant's: what the path names is a tenant itself. */
const isAboveTenants = ({ path }: Operation): boolean => !path.startsWith("/api/v2/");

/** One for each operation of the Management API that needs a token. */
export function idCases(operations: readonly Operation[]): readonly Definition[] {
  return operations.map((operation) => ({
    name: `ids: ${operation.title}`,
    run: (room) =>
      isAboveTenants(operation) ? replayTenant(operation, room) : putBack(operation, room, () => replayRecords(operation, room)),
  }));
}

async function replayRecords(operation: Operation, room: Room): Promise<void> {
  const { method, path, parameters, body, document } = operation;
  const { stranger, theirs, management } = room;
  // What is asked to change things has records of its own: it may be left without them.
  const records = method === "GET" ? room.own : recordsOf(stranger, management);
  const comparison = compare(room);
  const right = await records.request(operation);
  const ask = async (asked: Asked) => {
    const { path: at, ...sent } = asked;
    return stranger.call(method, at, { ...sent, token: await stranger.token() });
  };

  const named = parametersOf(path);
  for (const [index, { name, place }] of named.entries()) {
    const id = await theirs.id(place);
    // A place that names no record, such as the provider of an account.
    if (id === (await records.id(place))) continue;
    const later = new Map<string, string>();
    for (const each of named.slice(index + 1)) later.set(each.name, encodeURIComponent(await theirs.id(each.place)));
    await comparison.of(`'${name}' of the path`, [id], async (value) => {
      return ask({ ...right, path: await records.fill(path, { ...Object.fromEntries(later), [name]: encodeURIComponent(value) }) });
    });
  }
  const ids = await allIds(room);
  for (const { name } of parameters.filter((parameter) => parameter.in === "query")) {
    await comparison.of(`'${name}' of the query`, ids, (value) => ask({ ...right, query: `?${new URLSearchParams({ [name]: value })}` }));
  }
  if (method === "GET") await comparison.of("what is listed", [""], () => ask(right));
  if (body !== undefined) {
    const known = await records.known(body.schema);
    for (const { place, schema } of placesOf(document, body.schema)) {
      if (!takesText(document, schema)) continue;
      await comparison.of(`'${place.join(".")}' of the body`, ids, (value) =>
        ask({ ...right, body: bodyWith(document, body.schema, known, place, JSON.stringify(value)) }),
      );
    }
  }
  // What the stranger could store under an id of the owner is its own from then on.
  if (method !== "GET" && comparison.isAccepted) theirs.renew();
  comparison.end();
}

/** Runs what may change what a tenant has one of, such as its settings, and sets it as it was. */
async function putBack({ method, path }: Operation, { stranger: { manage } }: Room, run: () => Promise<void>): Promise<void> {
  if (method !== "PATCH" || path.includes("{")) return run();
  const before = await manage("GET", path);
  try {
    await run();
  } finally {
    const after = members((await manage("GET", path)).body);
    const was = members(before.body);
    const changed = [...new Set([...Object.keys(was), ...Object.keys(after)])].filter(
      (name) => JSON.stringify(was[name]) !== JSON.stringify(after[name]),
    );
    if (before.status === 200 && changed.length > 0)
      await manage("PATCH", path, Object.fromEntries(changed.map((name) => [name, was[name] ?? null])));
  }
}

/** The owner itself is unknown to a stranger. */
async function replayTenant(operation: Operation, room: Room): Promise<void> {
  const { method, path, body } = operation;
  const { owner, stranger } = room;
  if ((await stranger.manage("GET", "/tenants")).status === 200)
    throw new NotApplicable(`'${stranger.id}' is the control plane: it knows its tenants`);
  const comparison = compare(room);
  await comparison.of("the tenant", [owner.id], async (value) =>
    stranger.call(method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(value)), {
      token: await stranger.token(),
      ...(body !== undefined && { body: { id: value, name: value, kind: "upgrade" } }),
    }),
  );
  comparison.end();
}
