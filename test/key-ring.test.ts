import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPostern, type KeyRing, type LogEntry } from "@postern/core";
import { schema, type AnyRow, type Collection, type DataAdapter } from "@postern/core/adapter";
import { createManualClock } from "../packages/core/src/adapters/clock.ts";
import { dataContext } from "../packages/core/src/context.ts";
import { storeFactor } from "../packages/core/src/identity/factors/factors.ts";
import { newTotpSecret } from "../packages/core/src/identity/factors/totp.ts";
import { tenantData } from "../packages/core/src/store/tenant-data.ts";
import { testServiceContext } from "../packages/core/test/service-context.ts";
import { stores } from "./protocol/stores.ts";
import { list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "./support/api.ts";
import { organizationsBy } from "./support/organizations.ts";
import { createTestPostern, issuer, type TestPostern } from "./support/postern.ts";

const old = { id: "1", secret: "0123456789abcdef0123456789abcdef" } as const;
const newer = { id: "2", secret: "fedcba9876543210fedcba9876543210" } as const;
const wrong = { id: "1", secret: "another-secret-than-it-was-made-with" } as const;

const sealed = Object.values(schema).filter((description) => "sealed" in description);

let data: DataAdapter;
let clientId: string;
let organizationId: string;
let connectionId: string;
let warnings: LogEntry[];

/** Creates a service with another key ring on the same data. */
async function openWithRing(...ring: KeyRing): Promise<TestPostern> {
  return createTestPostern({
    data,
    crypto: { secret: ring },
    logger: { log: (entry) => void (entry.event === "unreadable_seal" && warnings.push(entry)) },
  });
}

function collectionOf(name: string): Collection {
  return (data.collections as unknown as { readonly [name: string]: Collection })[name] as Collection;
}

/** Returns every sealed row of a collection. */
async function rowsOf(name: string): Promise<readonly AnyRow[]> {
  const found = [];
  for (const tenant of ["main", "other"]) found.push(...(await collectionOf(name).find({ where: { tenant_id: tenant }, limit: 1000 })));
  return found.filter((row) => row["seal"] !== "");
}

async function keysInUse(): Promise<readonly string[]> {
  const rows = await Promise.all(sealed.map(({ name }) => rowsOf(name)));
  return [...new Set(rows.flat().map((row) => String(row["seal"]).split(".")[0] ?? ""))].toSorted();
}

const invitations = () => `/api/v2/organizations/${organizationId}/invitations`;
const invite = (manage: Manager): Promise<JsonBody> =>
  manage.create(invitations(), { inviter: { name: "Ann" }, invitee: { email: "new@example.test" }, client_id: clientId });
const upstream = { client_id: "ours", client_secret: "the-upstream-secret", private_key: "the-private-key" };

/** Enrolls an authenticator app. Its key is sealed with the old key, which is also the key of {@link testServiceContext}. */
async function enrollApp(): Promise<void> {
  const service = testServiceContext({ clock: createManualClock(Date.now() + 365 * 86_400_000) });
  const context = dataContext(service, tenantData(data.collections, "main"));
  await storeFactor(context, { user_id: "auth0|ann" }, { type: "totp", totpSecret: newTotpSecret(service.random) });
}

/** Collections of which these tests create no rows. */
const unusedCollections: readonly string[] = ["email_providers", "log_streams", "upstream_tokens"];

describe.each(stores)("the key ring on $name", ({ open }) => {
  beforeEach(async () => {
    data = await open();
    warnings = [];
    const manage = await managerOf(await openWithRing(old));
    clientId = stringMember(await manage.create("/api/v2/clients", { name: "App" }), "client_id");
    organizationId = await organizationsBy(manage).create("acme");
    await invite(manage);
    connectionId = stringMember(await manage.create("/api/v2/connections", { name: "up", strategy: "oidc", options: upstream }), "id");
    await enrollApp();
    await manage("PUT", "/api/v2/guardian/factors/phone/providers/twilio", { sid: "AC1", auth_token: "the-twilio-secret" });
  });

  afterEach(() => data.close?.());

  test("no encrypted field holds readable text, no two ciphertexts in the database are equal, and each row names the key that encrypted it", async () => {
    const texts: string[] = [];
    for (const { name, sealed: field } of sealed) {
      const rows = await rowsOf(name);
      expect(rows.length > 0, name).toBe(!unusedCollections.includes(name));
      for (const row of rows) {
        const value = row[field];
        texts.push(...(typeof value === "string" ? [value] : Object.values(value ?? {}).map(String)));
        expect(row["seal"]).toMatch(/^1\.[A-Za-z0-9]{20}$/);
      }
    }
    expect(texts).toHaveLength(6);
    expect(new Set(texts).size).toBe(6);
    for (const each of texts) expect(each).toMatch(/^eyJ[\w-]+\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
  });

  describe("a copied sealed value", () => {
    test("cannot be opened in another tenant: the private key signs nothing there", async () => {
      const [key] = await rowsOf("signing_keys");
      await data.collections.signing_keys.insert([{ ...(key as never as object), tenant_id: "other", activates_at: 2 } as never]);
      await data.collections.directory.insert([{ kind: "keys", value: "0", tenant_id: "other", created_at: 0 }]);
      const service = await openWithRing(old);
      await expect(service.token("other")).rejects.toThrow("server_error");
      await service.token("main");
    });

    test("cannot be opened in another row: the list shows the other invitation without its ticket", async () => {
      const manage = await managerOf(await openWithRing(old));
      const second = await invite(manage);
      const where = { tenant_id: "main", id: stringMember(second, "id") };
      const rows = await data.collections.invitations.find({ where: { tenant_id: "main", organization_id: organizationId }, limit: 10 });
      const ticket = rows.find(({ id }) => id !== where.id)?.ticket ?? "";
      await data.collections.invitations.update(where, { set: { ticket } });
      const shown = list(await manage("GET", invitations()));
      expect(shown).toHaveLength(2);
      expect(shown.filter((each) => "ticket_id" in each && "invitation_url" in each)).toHaveLength(1);
      expect(warnings).toMatchObject([{ level: "warn", collection: "invitations", id: stringMember(second, "id") }]);
    });

    test("cannot be opened in another stored document", async () => {
      const [row] = await rowsOf("stored_documents");
      await data.collections.stored_documents.insert([{ ...(row as never as object), name: "duo" } as never]);
      await expect((await openWithRing(old)).postern.check()).rejects.toThrow("stored_documents, sealed by the key '1'");
    });

    test("cannot be opened in another field of its row", async () => {
      const where = { tenant_id: "main", id: connectionId };
      const [row] = await data.collections.connections.find({ where, limit: 1 });
      const [one, two] = Object.keys(row?.secrets ?? {});
      const secrets = { [one ?? ""]: row?.secrets[two ?? ""] ?? "", [two ?? ""]: row?.secrets[one ?? ""] ?? "" };
      await data.collections.connections.update(where, { set: { secrets } });
      await expect((await openWithRing(old)).postern.check()).rejects.toThrow("connections, sealed by the key '1'");
    });
  });

  describe("sweep", () => {
    test("reseals values that an older key sealed, and reports when none is left, so that the older key can be removed", async () => {
      const { postern } = await openWithRing(newer, old);
      expect(await keysInUse()).toEqual(["1"]);
      expect(await postern.jobs.sweep({ budget: 1 })).toMatchObject({ sealedAnew: 1, olderKeysInUse: true, finished: false });
      expect(await keysInUse()).toEqual(["1", "2"]);
      expect(await postern.jobs.sweep()).toMatchObject({ sealedAnew: 4, olderKeysInUse: false, finished: true });
      expect(await postern.jobs.sweep()).toMatchObject({ sealedAnew: 0, olderKeysInUse: false, finished: true });
      expect(await keysInUse()).toEqual(["2"]);

      const withNewKey = await openWithRing(newer);
      await withNewKey.postern.check();
      const manage = await managerOf(withNewKey);
      expect(list(await manage("GET", invitations()))).toMatchObject([{ ticket_id: expect.any(String) as string }]);
      expect(warnings).toEqual([]);
    });

    test("reseals each value once in three parallel processes", async () => {
      const processes = await Promise.all([openWithRing(newer, old), openWithRing(newer, old), openWithRing(newer, old)]);
      const swept = await Promise.all(processes.map(({ postern }) => postern.jobs.sweep()));
      expect(swept.reduce((sum, { sealedAnew }) => sum + sealedAnew, 0)).toBe(5);
      await (await openWithRing(newer)).postern.check();
    });

    test("keeps a secret that another request sets while it reseals the old one", async () => {
      const { postern } = await openWithRing(newer, old);
      const olderProcess = await managerOf(await openWithRing(old, newer));
      const { connections } = data.collections;
      const update = connections.update.bind(connections);
      let concurrentChange: Promise<unknown> | undefined;
      const racingData: DataAdapter = {
        ...data,
        collections: {
          ...data.collections,
          connections: {
            ...connections,
            update: async (where, change) => {
              if (concurrentChange === undefined) {
                concurrentChange = olderProcess("PATCH", `/api/v2/connections/${connectionId}`, {
                  options: { ...upstream, client_secret: "set-meanwhile" },
                });
                await concurrentChange;
              }
              return update(where, change);
            },
          },
        },
      };
      const sweeping = createPostern({ issuer, data: racingData, crypto: { secret: [newer, old] } });
      expect(await sweeping.jobs.sweep()).toMatchObject({ sealedAnew: 4, olderKeysInUse: true });
      const set = await data.collections.connections.find({ where: { tenant_id: "main", id: connectionId }, limit: 1 });
      expect(set[0]?.seal).toMatch(/^1\./);
      expect(await postern.jobs.sweep()).toMatchObject({ sealedAnew: 1, olderKeysInUse: false });
    });

    test("continues after a value that it cannot open, and reports that the older key is still in use", async () => {
      await data.collections.invitations.update({ tenant_id: "main", organization_id: organizationId }, { set: { ticket: "nonsense" } });
      const { postern } = await openWithRing(newer, old);
      expect(await postern.jobs.sweep()).toMatchObject({ sealedAnew: 4, olderKeysInUse: true });
      expect(await postern.jobs.sweep()).toMatchObject({ sealedAnew: 0, olderKeysInUse: true, finished: true });
      expect(warnings.at(-1)).toMatchObject({ event: "unreadable_seal", collection: "invitations", key_id: "1", records: 1 });
    });

    test("reports keys that are no longer in the ring", async () => {
      const { postern } = await openWithRing(newer);
      expect(await postern.jobs.sweep()).toMatchObject({ sealedAnew: 0, olderKeysInUse: true, finished: true });
      expect(new Set(warnings.map(({ collection }) => collection))).toEqual(
        new Set(["signing_keys", "connections", "invitations", "factors", "stored_documents"]),
      );
    });
  });

  describe("check tries to open one value of each collection and key", () => {
    test.each(sealed.map(({ name }) => name).filter((name) => !unusedCollections.includes(name)))("%s", async (name) => {
      for (const other of sealed) if (other.name !== name) await clear(other.name);
      await expect((await openUnseeded(wrong)).check()).rejects.toThrow(`the secret cannot decrypt this data store (${name}, `);
      await expect((await openUnseeded(newer)).check()).rejects.toThrow(`${name}, sealed by the key '1'`);
      await (await openUnseeded(newer, old)).check();
    });

    test("and finds a key that sealed only a few of the values", async () => {
      const [before, after] = [await managerOf(await openWithRing(old)), await managerOf(await openWithRing(newer, old))];
      for (const manage of [before, before, after]) await invite(manage);
      await expect((await openUnseeded(newer, wrong)).check()).rejects.toThrow("sealed by the key '1'");
      await expect((await openUnseeded(old)).check()).rejects.toThrow("sealed by the key '2'");
    });

    /** Without seeding, because a seed would create a signing key. */
    async function openUnseeded(...ring: KeyRing) {
      return createPostern({ issuer, data, crypto: { secret: ring }, logger: { log() {} } });
    }

    async function clear(name: string): Promise<void> {
      for (const tenant of ["main", "other"]) await collectionOf(name).delete({ tenant_id: tenant });
    }
  });

  describe("without the key that sealed the stored values", () => {
    test("a secret of a connection can be replaced, and the others can be opened when the key is back", async () => {
      const rows = () => data.collections.connections.find({ where: { tenant_id: "main", id: connectionId }, limit: 1 });
      const [before] = await rows();
      await data.collections.signing_keys.delete({ tenant_id: "main" });
      const manage = await managerOf(await openWithRing(newer));
      const options = { client_id: "ours", client_secret: "a-new-secret" };
      expect(jsonBody(await manage("PATCH", `/api/v2/connections/${connectionId}`, { options }))).toMatchObject({
        options: { client_id: "ours" },
      });
      const [after] = await rows();
      expect(after?.secrets["/client_secret"]).not.toBe(before?.secrets["/client_secret"]);
      expect(after?.secrets["/private_key"]).toBe(before?.secrets["/private_key"]);
      // The older key still seals another value of the row.
      expect(after?.seal).toMatch(/^1\./);
      const { postern } = await openWithRing(newer, old);
      expect(await postern.jobs.sweep()).toMatchObject({ olderKeysInUse: false });
      await (await openWithRing(newer)).postern.check();
    });

    test("client secrets and signing keys can be rotated, and a list contains an unreadable ticket", async () => {
      await data.collections.signing_keys.delete({ tenant_id: "main" });
      const manage = await managerOf(await openWithRing(newer));
      expect((await manage("POST", `/api/v2/clients/${clientId}/rotate-secret`)).status).toBe(200);
      expect((await manage("POST", "/api/v2/keys/signing/rotate")).status).toBe(201);
      await invite(manage);
      const shown = list(await manage("GET", invitations()));
      expect(shown).toHaveLength(2);
      expect(shown.filter((each) => "ticket_id" in each)).toHaveLength(1);
      const unreadable = shown.find((each) => !("ticket_id" in each));
      expect(jsonBody(await manage("GET", `${invitations()}/${stringMember(unreadable ?? {}, "id")}`))).toEqual(unreadable);
      expect((await manage("DELETE", `${invitations()}/${stringMember(unreadable ?? {}, "id")}`)).status).toBe(204);
    });
  });
});
