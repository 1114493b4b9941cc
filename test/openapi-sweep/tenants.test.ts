import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../support/postern.ts";
import { bodyWith, placesOf } from "./bodies.ts";
import { descriptions, members, type Operation } from "./document.ts";
import { markOf, parametersOf, recordsOf, type Records } from "./records.ts";
import { openSweptService, type Sent, type SweptService } from "./service.ts";

// Tenants themselves belong to the control plane alone: test/tenancy has the tests of who reaches them.
const operations = descriptions.management.operations.filter(({ scopes, path }) => scopes.length > 0 && path.startsWith("/api/v2/"));

/** Every kind of record that a path can name. */
const places = [...new Set(operations.flatMap(({ path }) => parametersOf(path).map(({ place }) => place)))];

/** Those of them whose ids nobody chooses: a name that a tenant gives may be given by another as well. */
const chosen = [
  "/api/v2/email-templates/{}",
  "/api/v2/users/{}/identities/{}",
  "/api/v2/organizations/name/{}",
  "/api/v2/prompts/{}",
  "/api/v2/prompts/{}/custom-text/{}",
  "/api/v2/prompts/{}/screen/{}",
];

// The first is the control plane; the other two are tenants like any other.
describe.each([
  ["main", "other"],
  ["other", "third"],
] as const)("to %s the tenant %s is unknown:", (callerId, strangerId) => {
  let shared: Meeting;

  beforeAll(async () => {
    shared = await meet(callerId, strangerId);
  });

  describe.each(operations)("$title", (operation) => {
    const { path, parameters, body } = operation;

    test("by its ids", { timeout: 60_000 }, async () => {
      // What writes has tenants of its own: what is stored under an id of the stranger is the caller's own from then on.
      const { foreign, callerRecords, compare } = operation.method === "GET" ? shared : await meet(callerId, strangerId);
      const named = parametersOf(path);
      const foreignIds = new Map<string, string>();
      for (const place of places) foreignIds.set(place, await foreign.id(place));
      for (const [index, { name, place }] of named.entries()) {
        const id = foreignIds.get(place) ?? "";
        const records = callerRecords();
        // A place that names no record, such as the provider of an account.
        if (id === (await records.id(place))) continue;
        const later = named.slice(index + 1).map((each) => [each.name, encodeURIComponent(foreignIds.get(each.place) ?? "")] as const);
        const right = await records.request(operation);
        await compare(operation, id, async (value) => ({
          ...right,
          path: await records.fill(path, { ...Object.fromEntries(later), [name]: encodeURIComponent(value) }),
        }));
      }
      const ids = [...new Set(places.filter((place) => !chosen.includes(place)).map((place) => foreignIds.get(place) ?? ""))];
      for (const { name } of parameters.filter((parameter) => parameter.in === "query")) {
        const right = await callerRecords().request(operation);
        for (const id of ids) await compare(operation, id, (value) => ({ ...right, query: `?${new URLSearchParams({ [name]: value })}` }));
      }
      if (body === undefined) return;
      const records = callerRecords();
      const right = await records.request(operation);
      const known = await records.known(body.schema);
      for (const { place, schema } of placesOf("management", body.schema)) {
        if (schema["type"] !== "string") continue;
        for (const id of ids) {
          const say = (value: string): Sent => ({
            ...right,
            body: bodyWith("management", body.schema, known, place, JSON.stringify(value)),
          });
          await compare(operation, id, say);
        }
      }
    });

    test("by its token, and by its name", async () => {
      const { service, token, callerRecords } = shared;
      const right = await callerRecords().request(operation);
      const strange = await service.tokenOf(strangerId);
      const ask = async (bearer: string, tenantId: string): Promise<unknown> =>
        told(await service.send(operation, { ...right, headers: { authorization: `Bearer ${bearer}`, "tenant-id": tenantId } }), "");
      expect(await ask(token, strangerId)).toEqual(await ask(token, "never"));
      expect(await ask(strange, callerId)).toEqual(await ask(strange, "never"));
    });
  });

  test("by its cursors", async () => {
    const lists = operations.filter(({ method, parameters }) => method === "GET" && parameters.some(({ name }) => name === "from"));
    const { service, token, foreign, callerRecords } = shared;
    const second = recordsOf({ service, manage: service.manager(strangerId), tenantId: strangerId });
    for (const records of [foreign, second]) for (const place of places) await records.id(place);
    const strange = await service.tokenOf(strangerId);
    const ask = async (operation: Operation, bearer: string, path: string, from?: string): Promise<Answer> => {
      const query = `?${new URLSearchParams({ take: "1", ...(from !== undefined && { from }) })}`;
      return service.send(operation, { path, query, headers: { authorization: `Bearer ${bearer}` } });
    };
    let compared = 0;
    for (const operation of lists) {
      // Some lists say no `next`: the log, which goes on after the id of an event, and those that are too short here.
      const { next } = members((await ask(operation, strange, await foreign.fill(operation.path))).body);
      if (typeof next !== "string") continue;
      compared++;
      const path = await callerRecords().fill(operation.path);
      const known = told(await ask(operation, token, path, next), next);
      const never = neverMade(next);
      expect.soft(known, operation.title).toEqual(told(await ask(operation, token, path, never), never));
      expect.soft(known, operation.title).toMatchObject({ status: 400 });
    }
    expect(compared).toBeGreaterThan(8);
  });
});

/** Two tenants of one service. */
interface Meeting {
  readonly service: SweptService;
  /** What the stranger has. */
  readonly foreign: Records;
  /** The caller's. */
  readonly token: string;
  callerRecords(): Records;
  /** Sends what names a record of the stranger, and the same with an id that nobody has: both must come to the same. */
  compare(operation: Operation, id: string, request: (id: string) => Promise<Sent> | Sent): Promise<void>;
}

async function meet(callerId: string, strangerId: string): Promise<Meeting> {
  const service = await openSweptService();
  const token = await service.tokenOf(callerId);
  return {
    service,
    token,
    foreign: recordsOf({ service, manage: service.manager(strangerId), tenantId: strangerId }),
    callerRecords: () => recordsOf({ service, manage: service.manager(callerId), tenantId: callerId }),
    async compare(operation, id, request) {
      const send = async (named: string): Promise<unknown> => {
        const sent = await request(named);
        const answer = await service.send(operation, { ...sent, headers: { authorization: `Bearer ${token}` } });
        expect.soft(JSON.stringify(answer.body ?? "").replaceAll(named, ""), operation.title).not.toContain(markOf(strangerId));
        return told(answer, named);
      };
      const unknown = neverMade(id);
      const before = await send(unknown);
      const named = await send(id);
      // What was sent may itself have changed what is answered next.
      if (JSON.stringify(named) !== JSON.stringify(before)) expect.soft(named, `${operation.title}: ${id}`).toEqual(await send(unknown));
    },
  };
}

/** What an answer tells. Of a success its shape: what is made is new each time. */
function told({ status, body }: Answer, id: string): unknown {
  const without = JSON.stringify(body ?? null)
    .replaceAll(JSON.stringify(id).slice(1, -1), "<id>")
    .replaceAll(encodeURIComponent(id), "<id>");
  return { status, body: status < 300 ? shapeOf(JSON.parse(without)) : without };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** Text of the form of an id, that no record has. */
function neverMade(id: string): string {
  const start = Math.max(id.lastIndexOf("|"), id.lastIndexOf("_")) + 1;
  const turned = id.slice(start).replaceAll(/[a-yA-Y0-8]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 1));
  return id.slice(0, start) + turned;
}
