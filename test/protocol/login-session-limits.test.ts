import type { LogEntry } from "@postern/core";
import { beforeEach, expect, test } from "vitest";
import {
  sendAuthorization,
  authorizeParameters,
  loginState,
  openService,
  errorParameters,
  readResult,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import { issuer } from "../support/postern.ts";

let service: LoginService;
const loginSessions = (): Promise<number> => service.data.collections.login_sessions.count({ tenant_id: "main" });
beforeEach(async () => {
  service = await openService({ limits: { loginSessionBytesPerAddress: 50_000 } });
});

/** Returns scopes with this many characters in total. */
const scopes = (length: number): string => Array.from({ length: length / 40 }, (_, i) => `scope${String(i).padStart(34, "0")}`).join(" ");

/** Posts an authorization request as a form from a client address: the oversized parameters do not fit into a query. */
function begin(parameters: AuthorizationParameters, clientAddress?: string): Promise<Response> {
  const body = new URLSearchParams(authorizeParameters(service.web, parameters));
  return service.postern.fetch(new Request(`${issuer}authorize`, { method: "POST", body }), {
    ...(clientAddress !== undefined && { clientAddress }),
  });
}

test("rejects an authorization request whose stored parameters exceed 16 KiB in total", async () => {
  const together = "the parameters must have at most 16384 bytes in total";
  for (const [requested, expectedText] of [
    [{ state: "€".repeat(8000) }, together],
    [{ scope: scopes(20_000) }, together],
    [{ state: "s".repeat(8000), scope: scopes(9000) }, together],
    [{ nonce: "n".repeat(17_000) }, "'nonce' is longer"],
  ] as const) {
    const response = errorParameters(await readResult(await begin(requested, "198.51.100.7")));
    expect(response).toMatchObject({ error: "invalid_request", error_description: expect.stringContaining(expectedText) });
  }
  expect(await loginSessions()).toBe(0);
  loginState(await readResult(await begin({ state: "s".repeat(8000), scope: scopes(5000) }, "198.51.100.7")));
  expect(await loginSessions()).toBe(1);
});

test("warns the operator once if a trusted proxy sends an address that cannot be read", async () => {
  const entries: LogEntry[] = [];
  const { postern } = await openService({ trustedProxies: ["10.0.0.0/8"], logger: { log: (entry) => void entries.push(entry) } });
  const send = (header: string): Promise<Response> =>
    postern.fetch(new Request(`${postern.issuer}.well-known/openid-configuration`, { headers: { "x-forwarded-for": header } }), {
      clientAddress: "10.0.0.1",
    });
  const warnings = (): readonly LogEntry[] => entries.filter(({ event }) => event === "setup");
  for (const header of ["198.51.100.7:51234", "[2001:db8::7]:443", "[2001:db8::7]"]) await send(header);
  expect(warnings()).toEqual([]);
  for (const header of ["unknown", "_hidden"]) await send(header);
  expect(warnings()).toMatchObject([{ option: "trustedProxies", seen: expect.stringContaining("not an IP address") }]);
});

test("does not limit the address of an untrusted proxy, which all clients share, and warns the operator once", async () => {
  const entries: LogEntry[] = [];
  const proxied = await openService({
    limits: { loginSessionBytesPerAddress: 5000 },
    logger: { log: (entry) => void entries.push(entry) },
  });
  const begin = async (headers: { readonly [name: string]: string }, clientAddress: string): Promise<number> => {
    const url = `${proxied.postern.issuer}authorize?${new URLSearchParams(authorizeParameters(proxied.web))}`;
    return (await proxied.postern.fetch(new Request(url, { headers }), { clientAddress })).status;
  };
  for (let i = 0; i < 20; i++) expect(await begin({ "x-forwarded-for": "198.51.100.7" }, "127.0.0.1")).toBe(303);
  expect(entries.filter(({ event }) => event === "setup")).toMatchObject([{ option: "trustedProxies" }]);
  // A request from a public address is limited by that address, with any value in the header.
  const statuses = [];
  for (let i = 0; i < 20; i++) statuses.push(await begin({ "x-forwarded-for": "203.0.113.9" }, "198.51.100.7"));
  expect(statuses).toContain(429);
});

test("keeps the newest login sessions from unknown client addresses, up to sixteen times the limit for one address, and rejects none", async () => {
  const big = { state: "s".repeat(8000), scope: scopes(5000) };
  const addressed = loginState(await readResult(await begin(big, "198.51.100.7")));
  const stateOfNew = async (): Promise<string> => loginState(await readResult(await begin(big)));
  const oldest = await stateOfNew();
  const states = [];
  for (let i = 0; i < 80; i++) states.push(await stateOfNew());
  // 16 times 50,000 bytes.
  expect(await loginSessions()).toBeGreaterThan(50);
  expect(await loginSessions()).toBeLessThan(62);
  const browser = service.browser();
  await sendAuthorization(browser, service.web);
  const page = async (state: string): Promise<number> => (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).status;
  expect(await Promise.all([addressed, states.at(-1) ?? "", states.at(-50) ?? "", oldest].map(page))).toEqual([200, 200, 200, 400]);
});

test("limits the total size of the login sessions that each client address starts within an hour", async () => {
  const big = { state: "s".repeat(8000), scope: scopes(5000) };
  const from = async (address?: string): Promise<number> => (await begin(big, address)).status;
  for (let i = 0; i < 3; i++) expect(await from("198.51.100.7")).toBe(303);
  const rejected = await begin(big, "198.51.100.7");
  expect([rejected.status, rejected.headers.get("retry-after"), rejected.headers.get("location")]).toEqual([429, "3600", null]);
  expect(await rejected.text()).toContain("Too many");
  expect(await loginSessions()).toBe(3);

  // Small requests still fit. Other addresses have their own limit, and an unknown address has none.
  expect((await begin({}, "198.51.100.7")).status).toBe(303);
  expect(await from("198.51.100.8")).toBe(303);
  for (let i = 0; i < 5; i++) expect(await from()).toBe(303);
  // An IPv6 network counts as one address.
  for (const [last, status] of [
    [1, 303],
    [2, 303],
    [3, 303],
    [4, 429],
  ] as const)
    expect(await from(`2001:db8::${last}`)).toBe(status);

  service.clock.advance("61m");
  expect(await from("198.51.100.7")).toBe(303);
});
