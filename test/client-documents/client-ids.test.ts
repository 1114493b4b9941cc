import { beforeAll, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
beforeAll(async () => {
  service = await createTestPostern();
});

/** Finds every string schema named `client_id` in a part of an OpenAPI document, with its path. */
function clientIdsIn(part: unknown, path = ""): readonly { readonly path: string; readonly maxLength: number }[] {
  if (typeof part !== "object" || part === null) return [];
  if (Array.isArray(part)) return part.flatMap((item, i) => clientIdsIn(item, `${path}/${i}`));
  return Object.entries(part).flatMap(([name, value]) => {
    const isParameter = name === "schema" && "name" in part && part.name === "client_id";
    const found = isParameter || (name === "client_id" && path.endsWith("/properties")) ? [value as { readonly maxLength?: number }] : [];
    return [...found.map(({ maxLength = Infinity }) => ({ path: `${path}/${name}`, maxLength })), ...clientIdsIn(value, `${path}/${name}`)];
  });
}

test.each(["/.well-known/openapi.json", "/api/v2/spec"])(
  "every request in %s accepts a client id that is a URL of 120 characters",
  async (path) => {
    const found = clientIdsIn(jsonBody(await service.call("GET", path)));
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ maxLength }) => maxLength < 120)).toEqual([]);
  },
);
