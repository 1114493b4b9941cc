import { openDatabase } from "@postern/kysely/url";
import type { DataAdapter } from "@postern/core/adapter";
import { UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody, type Manager } from "./api.ts";
import { bundleServers, type BundledServers } from "./server-processes.ts";
import { killUnderLoad } from "./crash.ts";
import { testEmailAddresses } from "./email-addresses.ts";
import { serve, type ServedPostern } from "./http.ts";
import { isNightly } from "./nightly.ts";
import { clientSecret } from "./postern.ts";
import { testRaces } from "./races.ts";
import { testAccountRaces } from "./races-of-accounts.ts";
import { testAppSessionRaces } from "./races-of-app-sessions.ts";
import { testDeliveryRaces } from "./races-of-deliveries.ts";
import { testDeviceRaces } from "./races-of-devices.ts";
import { testFactorRaces } from "./races-of-factors.ts";
import { testLinkedFactorRaces } from "./races-of-linked-factors.ts";
import { testLogoutRaces } from "./races-of-logouts.ts";
import { testNewNumberRaces } from "./races-of-new-numbers.ts";
import { testFormRaces } from "./races-of-forms.ts";
import { testLinkRaces } from "./races-of-links.ts";
import { testPasskeyRaces } from "./races-of-passkeys.ts";
import { testProofRaces } from "./races-of-proofs.ts";
import { testProviderRaces } from "./races-of-providers.ts";
import { testPushedRequestRaces } from "./races-of-pushed-requests.ts";
import { testDocumentRaces } from "./races-of-documents.ts";
import { testRegistrationRaces } from "./races-of-registrations.ts";
import { testUserRaces } from "./races-of-users.ts";
import { testSdk } from "./sdk.ts";
import { standaloneIssuer, startStandalone, type Standalone } from "./standalone.ts";

const connection = "Username-Password-Authentication";

interface Database {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Creates databases and opens adapters for one `describe` block, which closes and deletes all of them at its end. */
class Databases {
  readonly #create: (name: string) => Promise<Database>;
  readonly #databases: Database[] = [];
  readonly #opened: DataAdapter[] = [];

  constructor(create: (name: string) => Promise<Database>) {
    this.#create = create;
  }

  /** @returns the URL of an empty database. */
  async create(name: string): Promise<string> {
    const made = await this.#create(name);
    this.#databases.push(made);
    return made.url;
  }

  async open(name: string): Promise<DataAdapter> {
    const data = await this.#openAt(await this.create(name));
    await data.migrate();
    return data;
  }

  async openTwice(name: string): Promise<readonly [DataAdapter, DataAdapter]> {
    const url = await this.create(name);
    const both = [await this.#openAt(url), await this.#openAt(url)] as const;
    await both[0].migrate();
    return both;
  }

  async close(): Promise<void> {
    for (const data of this.#opened) await data.close?.();
    for (const one of this.#databases) await one.drop();
  }

  async #openAt(url: string) {
    const data = await openDatabase(url, { connections: 8 });
    this.#opened.push(data);
    return data;
  }
}

/**
 * Adds the HTTP tests for a database server, with one Postern process and with two. `create` creates an empty database.
 */
export function testOnServer(create: (name: string) => Promise<Database>): void {
  // The connections of all suites together are more than a server accepts.
  const suite = (title: string, addTests: (databases: Databases) => void): void => {
    describe(title, () => {
      const databases = new Databases(create);
      afterAll(() => databases.close());
      addTests(databases);
    });
  };

  suite("races", (databases) => testRaces(() => databases.open("races")));

  suite("races of users", (databases) => testUserRaces(() => databases.open("people_races")));

  suite("races of account changes", (databases) => testAccountRaces(() => databases.open("account_races")));

  suite("races of second factors", (databases) => testFactorRaces(() => databases.openTwice("factor_races")));

  suite("races of linked factors", (databases) => testLinkedFactorRaces(() => databases.openTwice("linked_factor_races")));

  suite("races of messages to new numbers", (databases) => testNewNumberRaces(() => databases.openTwice("number_races")));

  suite("races of passkeys", (databases) => testPasskeyRaces(() => databases.openTwice("passkey_races")));

  suite("races of forms", (databases) => testFormRaces(() => databases.open("form_races")));

  suite("races of links", (databases) => testLinkRaces(() => databases.open("link_races")));

  suite("races of identity providers, imports and deliveries", (databases) => testProviderRaces(() => databases.open("provider_races")));

  suite("races of registrations of clients", (databases) => testRegistrationRaces(() => databases.open("registration_races")));

  suite("races of clients of metadata documents", (databases) => testDocumentRaces(() => databases.open("document_races")));

  suite("email addresses", (databases) => testEmailAddresses(() => databases.open("email_addresses")));

  suite("races of app sessions", (databases) => testAppSessionRaces(() => databases.openTwice("app_session_races")));

  suite("races of deliveries", (databases) => testDeliveryRaces(() => databases.open("delivery_races")));

  suite("races of devices", (databases) => testDeviceRaces(() => databases.open("device_races")));

  suite("races of pushed requests", (databases) => testPushedRequestRaces(() => databases.open("pushed_races")));

  suite("races of proofs", (databases) => testProofRaces(() => databases.open("proof_races")));

  suite("races of logouts", (databases) => testLogoutRaces(() => databases.open("logout_races")));

  suite("Auth0's SDK", (databases) => testSdk(() => databases.open("sdk")));

  suite("over HTTP", (databases) => {
    let service: ServedPostern;
    let manage: Manager;

    beforeAll(async () => {
      const data = await databases.open("http");
      service = await serve(() => ({ data }));
      manage = await managerOf(service);
    });
    afterAll(async () => {
      await service.close();
      expect(service.faults).toEqual([]);
    });

    const send = async (
      method: string,
      path: string,
      body?: unknown,
      headers: { readonly [name: string]: string } = {},
    ): Promise<Response> =>
      fetch(`${service.origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await service.token()}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

    test("creates, reads, updates, finds and deletes a user", async () => {
      const created = await send("POST", "/api/v2/users", {
        connection,
        email: "Flow@example.test",
        user_id: "auth0|flow",
        app_metadata: { a: { b: "ü🦊" } },
      });
      expect(created.status).toBe(201);
      const user = (await created.json()) as JsonBody;
      expect(await (await send("GET", "/api/v2/users/auth0%7Cflow")).json()).toEqual(user);
      const changed = (await (
        await send("PATCH", "/api/v2/users/auth0%7Cflow", { name: "ÄÖ 100%_", app_metadata: { ["__proto__x"]: 1 } })
      ).json()) as JsonBody;
      expect(changed).toMatchObject({ name: "ÄÖ 100%_", app_metadata: { a: { b: "ü🦊" }, __proto__x: 1 } });
      for (const q of ["email:FLOW@example.test", "user_id:auth0|flow", 'name:"ÄÖ 100%_"', "app_metadata.a.b:ü🦊"]) {
        expect(list(await manage("GET", `/api/v2/users?q=${encodeURIComponent(q)}`)), q).toHaveLength(1);
      }
      for (const q of ['name:"äö 100%_"', 'name:"ÄÖ 100xx"', "user_id:AUTH0|flow"]) {
        expect(list(await manage("GET", `/api/v2/users?q=${encodeURIComponent(q)}`)), q).toEqual([]);
      }
      expect((await send("DELETE", "/api/v2/users/auth0%7Cflow")).status).toBe(204);
      expect((await send("GET", "/api/v2/users/auth0%7Cflow")).status).toBe(404);
    });

    test("lists return each item once, in byte order, independent of the database server's collation", async () => {
      const names = ["a", "B", "b", "Z", "_", "é", "z", "A", "ß", "~", "10", "9"];
      for (const [i, name] of names.entries()) await manage.create("/api/v2/users", { connection, email: `walk${i}@example.test`, name });
      const found = (await listAllPages(manage, "/api/v2/users?sort=name:asc", "users", 5)).map((user) => String(user["name"]));
      const bytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(found).toEqual(bytes);
      expect((await listAllPages(manage, "/api/v2/users?sort=name:-1", "users", 1)).map((user) => user["name"])).toEqual(
        bytes.toReversed(),
      );
      expect(jsonBody(await manage("GET", "/api/v2/users?include_totals=true&per_page=5&page=2"))).toMatchObject({
        start: 10,
        length: 2,
        total: 12,
      });
    });

    test("every endpoint responds to values that PostgreSQL rejects with a client error", async () => {
      const token = (headers: object, body: object = {}) =>
        service.call("POST", "/oauth/token", {
          headers: { ...headers },
          body: { grant_type: "client_credentials", audience: `${service.origin}/api/v2/`, ...body },
        });
      for (const id of ["a%00b", "%ED%A0%80", "x".repeat(5000)]) {
        expect((await token({ authorization: `Basic ${Buffer.from(`${id}:secret`).toString("base64")}` })).status).toBe(401);
      }
      const assertion = { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" };
      for (const sub of ["a\0b", "\ud800", "x".repeat(5000)]) {
        expect((await token({}, { ...assertion, client_assertion: new UnsecuredJWT({ sub, iss: sub }).encode() })).status).toBe(401);
        const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const forged = `${encoded({ alg: "ES256", kid: "x" })}.${encoded({ tenant_id: sub })}.x`;
        expect((await service.call("GET", "/api/v2/users", { token: forged })).status).toBe(401);
      }
      for (const path of ["users", "clients", "connections", "resource-servers", "client-grants", "logs"]) {
        expectError(await manage("GET", `/api/v2/${path}/a%00b`), 400, "invalid_request");
        expectError(await manage("GET", `/api/v2/${path}/${"x".repeat(2000)}`), 404, "not_found");
        expect((await manage("GET", `/api/v2/${path}?sort=created_at:1&page=1000000&per_page=100`)).status).toBeLessThan(500);
      }
    });

    test("clients, grants and APIs work together", async () => {
      const api = await manage.create("/api/v2/resource-servers", { identifier: "https://api.example.test/é", scopes: [{ value: "a" }] });
      const client = await manage.create("/api/v2/clients", { name: "App", app_type: "non_interactive" });
      const grant = await manage.create("/api/v2/client-grants", {
        client_id: client["client_id"],
        audience: api["identifier"],
        scope: ["a"],
      });
      const request = () =>
        service.call("POST", "/oauth/token", {
          body: {
            grant_type: "client_credentials",
            client_id: client["client_id"],
            client_secret: client["client_secret"],
            audience: api["identifier"],
          },
        });
      expect(jsonBody(await request())).toMatchObject({ scope: "a" });
      expect(list(await manage("GET", `/api/v2/client-grants?client_id=${stringMember(client, "client_id")}&subject_type=client`))).toEqual(
        [grant],
      );
      await manage("DELETE", `/api/v2/clients/${stringMember(client, "client_id")}`);
      expectError(await request(), 401, "invalid_client");
      expect(list(await manage("GET", `/api/v2/client-grants?client_id=${stringMember(client, "client_id")}`))).toEqual([]);
    });
  });

  suite("in two processes", (databases) => {
    const processes: Standalone[] = [];

    beforeAll(async () => {
      const url = await databases.create("two");
      for (let i = 0; i < 2; i++) processes.push(await startStandalone(url));
    });
    afterAll(async () => {
      for (const one of processes) expect(await one.stop()).toBe(0);
    });

    const at = (i: number): string => processes[i % 2]?.origin ?? "";
    const tokenFrom = (i: number, credentials: JsonBody = { client_id: "main-manager", client_secret: clientSecret }): Promise<Response> =>
      fetch(`${at(i)}oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ grant_type: "client_credentials", audience: `${standaloneIssuer}api/v2/`, ...credentials }),
      });
    const bearer = async (i: number): Promise<string> => stringMember((await (await tokenFrom(i)).json()) as JsonBody, "access_token");
    const post = async (i: number, token: string, path: string, body: unknown, method = "POST"): Promise<Response> =>
      fetch(`${at(i)}api/v2/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

    test("creates one user for thirty-two parallel requests to both processes with one email address, and responds to the others with 409", async () => {
      const token = await bearer(0);
      const responses = await Promise.all(
        Array.from({ length: 32 }, (_, i) => post(i, token, "users", { connection, email: "two@example.test" })),
      );
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 31 }, () => 409)]);
      const bodies = (await Promise.all(responses.map((response) => response.json()))) as JsonBody[];
      for (const body of bodies.filter((one) => "error" in one))
        expect(body).toMatchObject({ error: "conflict", errorCode: "auth0_idp_error" });
    });

    test("keeps every successful update when two processes update one user in parallel", async () => {
      const token = await bearer(1);
      const user = (await (await post(0, token, "users", { connection, email: "both@example.test" })).json()) as JsonBody;
      const path = `users/${encodeURIComponent(stringMember(user, "user_id"))}`;
      const responses = await Promise.all(
        Array.from({ length: 16 }, (_, i) => post(i, token, path, { user_metadata: { [`key${i}`]: i } }, "PATCH")),
      );
      expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const read = (await (await post(1, token, path, undefined, "GET")).json()) as JsonBody;
      const responded = responses.flatMap(({ status }, i) => (status === 200 ? [[`key${i}`, i] as const] : []));
      expect(read["user_metadata"]).toEqual(Object.fromEntries(responded));
      expect(responded.length).toBeGreaterThan(0);
    });

    test("a deleted client is unknown at once to the process that deleted it, and within five seconds to the other process", async () => {
      const token = await bearer(0);
      const client = (await (await post(0, token, "clients", { name: "Short-lived", app_type: "non_interactive" })).json()) as JsonBody;
      const { client_id, client_secret } = client;
      await post(0, token, "client-grants", { client_id, audience: `${standaloneIssuer}api/v2/`, scope: ["read:users"] });
      for (const i of [0, 1]) expect((await tokenFrom(i, { client_id, client_secret })).status).toBe(200);
      expect((await post(0, token, `clients/${String(client_id)}`, undefined, "DELETE")).status).toBe(204);
      const deleted = Date.now();
      expect((await tokenFrom(0, { client_id, client_secret })).status).toBe(401);
      let status = 200;
      for (let sent = deleted; status === 200; await new Promise((resolve) => setTimeout(resolve, 100))) {
        // Measured when a request is sent, because a busy machine responds late.
        expect(sent - deleted).toBeLessThan(5200);
        sent = Date.now();
        status = (await tokenFrom(1, { client_id, client_secret })).status;
      }
      expect(status).toBe(401);
    });
  });

  suite("a crash", (databases) => {
    let servers: BundledServers;

    beforeAll(async () => {
      servers = await bundleServers();
    });
    afterAll(() => servers.stop());

    test("loses no write that got a response and no audit row of such a write", { timeout: 240_000 }, async () => {
      const crashes = isNightly ? 20 : 5;
      expect(await killUnderLoad(servers, await databases.create("crash"), crashes)).toBeGreaterThanOrEqual(8 * crashes);
    });
  });
}
