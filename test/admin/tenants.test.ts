import { beforeAll, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

/** The screens with which an operator of the control plane manages tenants. */

let plane: TestConsole;
let browser: ConsoleBrowser;
beforeAll(async () => {
  plane = await openConsole({ isControlPlane: true });
  browser = await plane.signIn(plane.administrator);
});

const manage = (method: string, path: string, body?: unknown) => plane.service.manage(method, path, body);
/** Creates a tenant as the administrator, who is then its first member. */
const create = async (id: string, name: string): Promise<void> => {
  expect((await browser.submit("tenants/new", { id, name })).status).toBe(303);
};
const location = (response: Response): string | null => response.headers.get("location");
const rows = (html: string): readonly string[] => [...html.matchAll(/href="\/admin\/t\/([^/"]+)\/">\1</g)].map(([, id = ""]) => id);

test("a tenant is created, found, renamed and opened", async () => {
  const created = await browser.submit("tenants/new", { id: "acme", name: "Acme", friendly_name: "Acme & Söhne <b>" });
  expect(location(created)).toBe("/admin/tenants/acme?done=tenant-created");
  expect(await browser.page("tenants/acme?done=tenant-created")).toContain("The tenant was created");
  jsonBody(await manage("POST", "/tenants", { id: "zeta", name: "Zeta" }), 201);
  expect(rows(await browser.page("tenants?q=ac"))).toEqual(["acme"]);
  expect(rows(await browser.page("tenants?q=Acm"))).toEqual(["acme"]);
  expect(await browser.page(`tenants?${new URLSearchParams({ q: '*" OR (' })}`)).toContain("No tenant matches");

  const before = { before_name: "Acme", before_friendly_name: "Acme & Söhne <b>", friendly_name: "Acme & Söhne <b>" };
  const renamed = await browser.submit("tenants/acme/edit", { ...before, name: "Acme 2" });
  expect(location(renamed)).toBe("/admin/tenants/acme?done=saved");
  const html = await browser.page("tenants/acme");
  expect(html).toContain("Acme &amp; Söhne &lt;b>");
  expect([html.includes('href="/admin/t/acme/"'), jsonBody(await manage("GET", "/tenants/acme"))["tenant"]]).toEqual([
    true,
    expect.objectContaining({ name: "Acme 2" }),
  ]);
});

test.each([
  ["acme", "exist"],
  ["No Tenant", "lower-case"],
  ["tenants", "reserved"],
])("the id %s is refused with the reason, and the form keeps what was typed", async (id, reason) => {
  await manage("POST", "/tenants", { id: "acme", name: "Acme" });
  const refused = await browser.submit("tenants/new", { id, name: "Typed name", friendly_name: "" });
  const html = await refused.text();
  expect([refused.status, html.includes(reason), html.includes('value="Typed name"')]).toEqual([400, true, true]);
});

test("an operator confirms an upgrade, and its operation shows the steps", async () => {
  await create("upgraded", "Upgraded");
  expect(await browser.page("tenants/upgraded/upgrade")).toContain("Upgrade Upgraded?");
  const begun = location(await browser.submit("tenants/upgraded/upgrade", {})) ?? "";
  expect(begun).toMatch(/^\/admin\/tenants\/upgraded\/operations\/\w+$/);
  expect(await browser.page("tenants/upgraded")).toContain(begun);
  await expect.poll(async () => browser.page(begun)).toMatch(/Succeeded[\s\S]*Steps[\s\S]*<td/);
  await browser.page("tenants/upgraded/operations/unknown", 404);
});

test("a tenant is deleted only after its id is typed", async () => {
  await create("gone", "Gone");
  const refused = await browser.submit("tenants/gone/delete", { typed: "Gone" });
  expect([refused.status, (await manage("GET", "/tenants/gone")).status]).toEqual([400, 200]);
  expect(location(await browser.submit("tenants/gone/delete", { typed: "gone" }))).toBe("/admin/tenants?done=tenant-deleted");
  await browser.page("tenants/gone", 404);
  expect(rows(await browser.page("tenants"))).not.toContain("gone");
});

test("the control plane has no danger zone, and is not deleted", async () => {
  expect(await browser.page("tenants/main")).not.toContain("main/delete");
  const response = await browser.submit("tenants/main/delete", { typed: "main" });
  expect([response.status >= 400, (await manage("GET", "/tenants/main")).status]).toEqual([true, 200]);
});

test("creation, upgrade and deletion require a recent sign-in", async () => {
  await create("old", "Old");
  const late = await plane.signIn(plane.administrator);
  plane.service.clock.advance("11m");
  for (const path of ["tenants/new", "tenants/old/upgrade", "tenants/old/delete"]) {
    const response = await late.send(path);
    expect([path, response.status, location(response)]).toEqual([path, 303, expect.stringContaining("max_age=600")]);
    expect([path, (await late.submit(path, { typed: "old", id: "new", name: "new" })).status]).not.toEqual([path, 200]);
  }
  expect((await manage("GET", "/tenants/new")).status).toBe(404);
  expect((await manage("GET", "/tenants/old")).status).toBe(200);
});

test("an operator who only lists tenants changes none", async () => {
  await create("kept", "Kept");
  const reader = await plane.signIn(await plane.addOperator("reader@example.test", ["read:tenants"]));
  const list = await reader.page("tenants");
  expect([list.includes("tenants/new"), rows(list)]).toEqual([false, []]);
  // The operator is no member of the tenant.
  for (const path of ["tenants/kept", "tenants/kept/edit", "tenants/kept/upgrade", "tenants/kept/delete"]) await reader.page(path, 404);
  const refused = await reader.submit("tenants/new", { id: "mine", name: "Mine" });
  expect([refused.status, (await manage("GET", "/tenants/mine")).status]).toEqual([403, 404]);
});
