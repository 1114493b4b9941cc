import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostern, isPosternError, type Mail, type TransactionApi } from "@postern/core";
import type { SqlAdapter } from "@postern/kysely";
import type { HostTransaction } from "../../../packages/kysely/test/servers.ts";

/** A database that the host and Postern share, by a pool of two connections. */
export interface SharedDatabase {
  readonly data: SqlAdapter;
  begin(): Promise<HostTransaction>;
  /** Runs a statement by itself. @returns its rows. */
  query(text: string): Promise<readonly object[]>;
  /** A statement that gives the names of all tables. */
  readonly tables: string;
  close(): Promise<void>;
}

const connection = "Username-Password-Authentication";
const password = "Correct-horse-battery-7";

/** Tests that the host's rows and Postern's are written together, or not at all. */
export function sharesTransactions({ data, begin, query, tables, close }: SharedDatabase): void {
  const mails: Mail[] = [];
  const postern = createPostern({
    issuer: "https://id.example.test/",
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
    defaultTenantId: "main",
    messages: { mail: { send: async (mail) => void mails.push(mail) } },
    logger: { log: () => {} },
  });
  const outside = postern.tenant("main");

  beforeAll(async () => {
    await data.migrate();
    await postern.seed({ tenantId: "main", connections: [{ name: connection, strategy: "auth0" }] });
    await query("create table profiles (user_id varchar(200) primary key)");
  });
  afterAll(async () => {
    await postern.close();
    await data.close();
    await close();
  });

  const person = (name: string) => ({ connection, email: `${name}@example.test`, password });

  /** All rows of all tables, as text. */
  async function everything(): Promise<Map<string, readonly string[]>> {
    const names = (await query(tables)).flatMap((row) => Object.values(row).map(String));
    expect(names).toEqual(expect.arrayContaining(["postern_users", "postern_logs", "profiles"]));
    const rows = names.map(
      async (name) => [name, (await query(`select * from ${name}`)).map((row) => JSON.stringify(row)).toSorted()] as const,
    );
    return new Map(await Promise.all(rows));
  }

  /** Does something in a transaction, which is committed where it resolves and rolled back where it rejects. */
  async function together<T>(run: (inside: TransactionApi, host: HostTransaction) => Promise<T>): Promise<T> {
    const host = await begin();
    try {
      const result = await postern.inTransaction(host.data, (inside) => run(inside, host));
      await host.end("commit");
      return result;
    } catch (error) {
      await host.end("rollback");
      throw error;
    }
  }

  const addProfile = (host: HostTransaction, userId: string) => host.query(`insert into profiles values ('${userId}')`);
  const profilesOf = async (userId: string) => (await query(`select * from profiles where user_id = '${userId}'`)).length;

  describe("a transaction of the host's", () => {
    test("keeps the user, their audit event and the host's row when it is committed", async () => {
      const user = await together(async (inside, host) => {
        const created = await inside.tenant("main", { name: "signup" }).users.create({ ...person("ada"), verify_email: true });
        expect(await inside.tenant("main").users.get(created.user_id)).toEqual(created);
        expect(mails.map(({ to }) => to)).toContain("ada@example.test");
        await addProfile(host, created.user_id);
        return created;
      });
      expect(await outside.users.get(user.user_id)).toEqual(user);
      expect(await profilesOf(user.user_id)).toBe(1);
      expect(await outside.logs.list({ q: "type:sapi", sort: "date:-1", per_page: 1 })).toMatchObject([{ client_name: "signup" }]);
    });

    test("keeps nothing at all when it is rolled back", async () => {
      const before = await everything();
      const failure = new Error("the host's own");
      const failed = together(async (inside, host) => {
        const main = inside.tenant("main");
        const user = await main.users.create({ ...person("grace"), verify_email: true });
        const [role, organization] = await Promise.all([
          main.roles.create({ name: "Editors" }),
          main.organizations.create({ name: "acme" }),
        ]);
        await Promise.all([
          main.users.roles.add(user.user_id, { roles: [role.id] }),
          main.organizations.members.add(organization.id, { members: [user.user_id] }),
          main.users.update(user.user_id, { app_metadata: { plan: "gold" } }),
        ]);
        await expect(main.users.create(person("grace"))).rejects.toMatchObject({ code: "conflict" });
        await addProfile(host, user.user_id);
        throw failure;
      });
      await expect(failed).rejects.toBe(failure);
      expect(await everything()).toEqual(before);
    });

    test("goes on after a taken address, which is the API's conflict", async () => {
      const user = await together(async (inside, host) => {
        const { users } = inside.tenant("main");
        await users.create(person("edsger"));
        const second = await users.create(person("edsger")).catch((error: unknown) => error);
        expect(isPosternError(second) && [second.code, second.status]).toEqual(["conflict", 409]);
        const created = await users.create(person("barbara"));
        await addProfile(host, created.user_id);
        return created;
      });
      expect(await outside.usersByEmail.list({ email: "edsger@example.test" })).toHaveLength(1);
      expect(await outside.users.get(user.user_id)).toMatchObject({ email: "barbara@example.test" });
      expect(await profilesOf(user.user_id)).toBe(1);
    });

    test("is one of sixteen at once on a pool of two", async () => {
      const one = (n: number) =>
        together(async (inside, host) => {
          const main = inside.tenant("main");
          const [user] = await Promise.all([main.users.create(person(`person-${n}`)), main.roles.create({ name: `role-${n}` })]);
          await addProfile(host, user.user_id);
          if (n % 4 === 3) throw new Error("every fourth one fails");
        });
      const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => one(n)));
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, (_, n) => (n % 4 === 3 ? "rejected" : "fulfilled")));
      const users = await outside.users.list({ q: "email:person-*", include_totals: true });
      const roles = await outside.roles.list({ name_filter: "role-", include_totals: true });
      expect([users.total, roles.total]).toEqual([12, 12]);
    });

    test.each(["resolves", "rejects"])("has everything done when its function %s, whoever waits for it", async (how) => {
      const before = await everything();
      const host = await begin();
      const begun: Promise<unknown>[] = [];
      const outcome = postern.inTransaction(host.data, async (inside) => {
        for (const name of ["left", "right"]) begun.push(inside.tenant("main").users.create(person(name)));
        await new Promise((resolve) => setImmediate(resolve));
        if (how === "rejects") throw new Error("the host's own");
      });
      await outcome.catch(() => {});
      const late = new Promise((resolve) => setTimeout(resolve, 50, "late"));
      expect(await Promise.race([Promise.all(begun), late])).toMatchObject([
        { email: "left@example.test" },
        { email: "right@example.test" },
      ]);
      await host.end("rollback");
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await everything()).toEqual(before);
    });

    test("refuses calls when it has ended, and the data within it serves the next one", async () => {
      const host = await begin();
      const kept = await postern.inTransaction(host.data, async (inside) => inside);
      const { users } = kept.tenant("main");
      await expect(users.list()).rejects.toMatchObject({ code: "configuration_error", message: expect.stringMatching(/has ended/) });
      const found = await postern.inTransaction(host.data, (inside) => inside.tenant("main").users.list({ per_page: 1 }));
      expect(found).toHaveLength(1);
      await host.end("rollback");
    });

    test("shows nobody else what it has changed, also of what is cached", async () => {
      const { friendly_name: name } = await outside.settings.get();
      await expect(
        together(async (inside) => {
          const { settings } = inside.tenant("main");
          await settings.update({ friendly_name: "Uncommitted" });
          expect((await settings.get()).friendly_name).toBe("Uncommitted");
          expect((await outside.settings.get()).friendly_name).toBe(name);
          throw new Error("rolled back");
        }),
      ).rejects.toThrow("rolled back");
      expect((await outside.settings.get()).friendly_name).toBe(name);
    });

    test("that a deadlock has undone rejects, also where the call's error was caught", async () => {
      const [one, two] = [await outside.users.create(person("one")), await outside.users.create(person("two"))];
      const bothHold = Promise.withResolvers<void>();
      let holding = 0;
      const crossing = (first: string, second: string) =>
        together(async (inside) => {
          const { users } = inside.tenant("main");
          await users.update(first, { name: first });
          if (++holding === 2) bothHold.resolve();
          await bothHold.promise;
          await users.update(second, { name: first }).catch(() => {});
          // A database that has undone the transaction would keep this one by itself.
          await users.create(person(`after-${first.slice(-4)}`)).catch(() => {});
        });
      const outcomes = await Promise.allSettled([crossing(one.user_id, two.user_id), crossing(two.user_id, one.user_id)]);
      const refused = outcomes.filter(({ status }) => status === "rejected");
      expect(refused).toMatchObject([{ reason: { code: "temporarily_unavailable" } }]);
      const names = [(await outside.users.get(one.user_id)).name, (await outside.users.get(two.user_id)).name];
      const winner = outcomes[0]?.status === "fulfilled" ? one : two;
      expect(names).toEqual([winner.user_id, winner.user_id]);
      expect(await outside.users.list({ q: "email:after-*" })).toHaveLength(1);
    });
  });
}
