import { beforeAll, expect, test } from "vitest";
import { emptyLists } from "../../packages/core/src/management/empty-lists.ts";
import { list, jsonBody, type JsonBody } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";
import { createLists, listKeys, type Lists } from "./list-fixture.ts";

/**
 * Auth0's SDKs add paging parameters to the requests for all lists, including those that Auth0 never pages. Every list
 * of the OpenAPI document accepts them and returns the shape that it has.
 */

/** A part of the OpenAPI document. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
}

/** Lists that are not paged in any SDK: the blocks of one user, a setting, and the days of a range. */
const otherObjects = [
  "/api/v2/user-blocks",
  "/api/v2/user-blocks/{id}",
  "/api/v2/guardian/factors/phone/message-types",
  "/api/v2/stats/daily",
];

/** Searches have pages with cursors only: search.test.ts covers them. */
const searches = ["/api/v2/organizations/search", "/api/v2/clients/search", "/api/v2/resource-servers/search"];

const envelopeMembers = ["next", "total", "start", "limit", "length", "page", "per_page"];

const description = jsonBody(await (await createTestPostern()).call("GET", "/api/v2/spec"));

function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return resolve(
    schema.$ref
      .slice(2)
      .split("/")
      .reduce((at, name) => at[name] as JsonBody, description) as Schema,
  );
}

/** Whether a response is an array, or an object whose other members than arrays are envelope members. */
function isList(schema: Schema): boolean {
  const { type, anyOf, properties = {} } = resolve(schema);
  if (anyOf !== undefined) return anyOf.some(isList);
  const others = Object.entries(properties).filter(([, member]) => resolve(member).type !== "array");
  const hasArray = others.length < Object.keys(properties).length;
  return type === "array" || (hasArray && others.every(([name]) => envelopeMembers.includes(name)));
}

/** The templates of all lists, from the OpenAPI document. */
const templates = Object.entries(description["paths"] as { readonly [path: string]: JsonBody }).flatMap(([path, { get }]) => {
  const { responses } = (get ?? {}) as { readonly responses?: { readonly [status: string]: { readonly content?: JsonBody } } };
  const schema = (responses?.["200"]?.content?.["application/json"] as JsonBody | undefined)?.["schema"] as Schema | undefined;
  const isOfAuth0 = path.startsWith("/api/v2/") && ![...otherObjects, ...searches].includes(path);
  return isOfAuth0 && schema !== undefined && isList(schema) ? [{ path, hasThreeShapes: resolve(schema).anyOf !== undefined }] : [];
});

/** The templates of the lists of entities that are not supported. */
const alwaysEmpty = new Set(emptyLists.map(({ definition }) => definition.path.replaceAll(/:(\w+)/g, "{$1}")));

/** The requests of the SDKs, with the page that each selects. */
const requests: readonly (readonly [sdk: string, query: string, page: 0 | 1])[] = [
  ["Go", "per_page=50&include_totals=true", 0],
  ["Go", "include_totals=true&per_page=50&page=1", 1],
  ["Python", "page=0&per_page=50&include_totals=false", 0],
  ["Python", "page=0&per_page=50&include_totals=true", 0],
  ["Python", "page=1&per_page=50&include_totals=true", 1],
  ["Java", "page=0&per_page=50&include_totals=true", 0],
  ["Java", "page=0&take=2", 0],
  ["Java", "per_page=50&include_totals=true&take=2", 0],
  ["checkpoint", "take=2", 0],
];

let lists: Lists;

beforeAll(async () => {
  lists = await createLists(0);
  // `from` and `take` return events only some seconds after they happened.
  lists.service.clock.advance("10s");
});

const read = async (template: string, query: string): Promise<unknown> => {
  const { status, body } = await lists.manage("GET", lists.at(template, query));
  expect({ status, body }, `${template}?${query}`).toMatchObject({ status: 200 });
  return body;
};

/** The names of the members of an envelope, or `array`. */
const shapeOf = (body: unknown): unknown =>
  Array.isArray(body)
    ? "array"
    : Object.keys(body as JsonBody)
        .filter((name) => name !== "next")
        .toSorted();

const itemsOf = (body: unknown): readonly unknown[] =>
  Array.isArray(body) ? body : (Object.values(body as JsonBody).find((value) => Array.isArray(value)) ?? []);

test("the table of lists with three shapes contains every such list of the OpenAPI document", () => {
  const paths = templates.filter(({ path, hasThreeShapes }) => hasThreeShapes && !alwaysEmpty.has(path)).map(({ path }) => path);
  expect(paths.toSorted()).toEqual(Object.keys(listKeys).toSorted());
});

test.each(templates.filter(({ hasThreeShapes }) => !hasThreeShapes))(
  "$path has one shape, with every item on the first page and none on later pages",
  async ({ path }) => {
    const all = await read(path, "");
    for (const [sdk, query, page] of requests) {
      const body = await read(path, query);
      const isCheckpoint = query.includes("take=2") && !Array.isArray(all);
      const expected = page > 0 ? [] : isCheckpoint ? itemsOf(all).slice(0, 2) : itemsOf(all);
      expect(shapeOf(body), `${sdk}: ${query}`).toEqual(shapeOf(all));
      expect(itemsOf(body), `${sdk}: ${query}`).toEqual(expected);
    }
  },
);

test.each(Object.entries(listKeys))("%s has an array, totals and cursors", async (path, key) => {
  const items = list(await lists.manage("GET", lists.at(path, "per_page=100")));
  for (const [sdk, query, page] of requests) {
    const body = await read(path, query);
    const isCheckpoint = query.includes("take=2") && path !== "/api/v2/logs";
    const hasTotals = query.includes("include_totals=true") && !query.includes("take=2");
    const shape = isCheckpoint ? [key] : hasTotals ? [key, "length", "limit", "start", "total"].toSorted() : "array";
    expect(shapeOf(body), `${sdk}: ${query}`).toEqual(shape);
    const expected = query.includes("take=2") ? items.slice(0, 2) : items.slice(page * 50, page * 50 + 50);
    expect(itemsOf(body), `${sdk}: ${query}`).toHaveLength(expected.length);
  }
});

test.each(templates.map(({ path }) => path))("%s accepts its own cursors, and rejects all others", async (path) => {
  const first = await read(path, "page=0&take=2");
  const next = Array.isArray(first) ? undefined : (first as JsonBody)["next"];
  if (typeof next === "string") {
    const second = await read(path, `page=0&take=2&from=${encodeURIComponent(next)}`);
    expect(shapeOf(second)).toEqual(shapeOf(first));
    expect(itemsOf(second)).not.toEqual(itemsOf(first));
  }
  expect(await lists.manage("GET", lists.at(path, "from=unknown&take=2"))).toMatchObject({ status: 400, body: { message: /'from'/ } });
});

test("every list has items here, except the lists of entities that are not supported", async () => {
  for (const { path } of templates) expect(itemsOf(await read(path, "")).length > 0, path).toBe(!alwaysEmpty.has(path));
});
