import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unservedPaths } from "../packages/core/src/management/unserved-paths.ts";
import { readEndpoints } from "../scripts/auth0-page.ts";
import { managerOf } from "./support/api.ts";
import { createTestPostern } from "./support/postern.ts";

test("endpoints that docs/reference/auth0-endpoints.md lists as missing are not served, and all others are", async () => {
  const page = readFileSync(new URL("../docs/reference/auth0-endpoints.md", import.meta.url), "utf8");
  const service = await createTestPostern();
  const manage = await managerOf(service);
  const verdicts = new Map(
    [...page.matchAll(/^\| `(\w+ \/[^`]*)` \| (same|differs|missing) \|/gm)].map(([, title = "", verdict = ""]) => [title, verdict]),
  );
  const endpoints = readEndpoints();
  expect([...verdicts.keys()]).toEqual(endpoints.map(({ title }) => title));
  for (const { title } of endpoints) {
    const [method = "", path = ""] = title.split(" ");
    const response = await manage(
      method,
      `/api/v2${path.replaceAll(/\{\w+\}/g, "never")}`,
      method === "GET" || method === "DELETE" ? undefined : {},
    );
    if (verdicts.get(title) === "missing") expect(isUnserved(title) ? [403] : [404, 405], title).toContain(response.status);
    else expect(response, title).not.toMatchObject({ body: { error_description: expect.stringContaining("is not served") } });
    expect(response.status, title).not.toBe(501);
  }
  expect(service.faults).toEqual([]);
});

function isUnserved(title: string): boolean {
  return title.startsWith("GET /") && Object.hasOwn(unservedPaths, `/api/v2${title.slice("GET ".length)}`);
}

test("the README states how many endpoints are the same, differ and are missing", () => {
  const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const counted = /Of (\d+) endpoints, (\d+) are the same, (\d+) differ, and (\d+) are missing/.exec(
    read("docs/reference/auth0-endpoints.md"),
  );
  const [, all = "", same = "", differing = "", missing = ""] = counted ?? [];
  const readme = read("README.md");
  expect(readme).toContain(`Of the ${all} endpoints of Auth0's Management API, ${same} are the same and ${differing} differ`);
  expect(readme).toContain(`${missing} of the ${all} endpoints of Auth0's Management API`);
});
