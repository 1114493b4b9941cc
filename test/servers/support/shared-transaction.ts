import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostern, isPosternError, type Mail, type TransactionApi } from "@postern/core";
import type { SqlAdapter } from "@postern/kysely";
import type { HostTransaction } from "../../../packages/kysely/test/servers.ts";

/** A database that the host application and Postern share, with a pool of two connections. */
interface SharedDatabase {
  readonly data: SqlAdapter;
  begin(): Promise<HostTransaction>;
  /** Runs a single statement. @returns its rows. */
  query(text: string): Promise<readonly object[]>;
  /** A statement that returns the names of all tables. */
  readonly tables: string;
  close(): Promise<void>;
}

const connection = "Username-Password-Authentication";
const password = "Correct-horse-battery-7";

/** Tests that a transaction commits or rolls back the host's rows and Postern's rows together. */
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
  const committed = postern.tenant("main");

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

  const newUser = (name: string) => ({ connection, email: `${name}@example.test`, password });

  /** Returns all rows of all tables as text. */
  async function allRows(): Promise<Map<string, readonly string[]>> {
    const names = (await query(tables)).flatMap((row) => Object.values(row).map(String));
    expect(names).toEqual(expect.arrayContaining(["postern_users", "postern_logs", "profiles"]));
    const rows = names.map(
      async (name) => [name, (await query(`select * from ${name}`)).map((row) => JSON.stringify(row)).toSorted()] as const,
    );
    return new Map(await Promise.all(rows));
  }

  /** Runs a function in a transaction. Commits if its promise resolves and rolls back if it rejects. */
  async function inTransaction<T>(run: (inside: TransactionApi, host: HostTransaction) => Promise<T>): Promise<T> {
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

  describe("a transaction of the host application", () => {
    test("stores the user, the audit event and the host's row on commit", async () => {
      const user = await inTransaction(async (inside, host) => {
        const created = await inside.tenant("main", { name: "signup" }).users.create({ ...newUser("ada"), verify_email: true });
        expect(await inside.tenant("main").users.get(created.user_id)).toEqual(created);
        expect(mails.map(({ to }) => to)).toContain("ada@example.test");
        await addProfile(host, created.user_id);
        return created;
      });
      expect(await committed.users.get(user.user_id)).toEqual(user);
      expect(await profilesOf(user.user_id)).toBe(1);
      expect(await committed.logs.list({ q: "type:sapi", sort: "date:-1", per_page: 1 })).toMatchObject([{ client_name: "signup" }]);
    });

    test("stores nothing after a rollback", async () => {
      const before = await allRows();
      const failure = new Error("the host's own");
      const failed = inTransaction(async (inside, host) => {
        const main = inside.tenant("main");
        const user = await main.users.create({ ...newUser("grace"), verify_email: true });
        const [role, organization] = await Promise.all([
          main.roles.create({ name: "Editors" }),
          main.organizations.create({ name: "acme" }),
        ]);
        await Promise.all([
          main.users.roles.add(user.user_id, { roles: [role.id] }),
          main.organizations.members.add(organization.id, { members: [user.user_id] }),
          main.users.update(user.user_id, { app_metadata: { plan: "gold" } }),
        ]);
        await expect(main.users.create(newUser("grace"))).rejects.toMatchObject({ code: "conflict" });
        await addProfile(host, user.user_id);
        throw failure;
      });
      await expect(failed).rejects.toBe(failure);
      expect(await allRows()).toEqual(before);
    });

    test("continues after a conflict of a taken email address", async () => {
      const user = await inTransaction(async (inside, host) => {
        const { users } = inside.tenant("main");
        await users.create(newUser("edsger"));
        const second = await users.create(newUser("edsger")).catch((error: unknown) => error);
        expect(isPosternError(second) && [second.code, second.status]).toEqual(["conflict", 409]);
        const created = await users.create(newUser("barbara"));
        await addProfile(host, created.user_id);
        return created;
      });
      expect(await committed.usersByEmail.list({ email: "edsger@example.test" })).toHaveLength(1);
      expect(await committed.users.get(user.user_id)).toMatchObject({ email: "barbara@example.test" });
      expect(await profilesOf(user.user_id)).toBe(1);
    });

    test("can run sixteen times in parallel on a pool of two connections", async () => {
      const one = (n: number) =>
        inTransaction(async (inside, host) => {
          const main = inside.tenant("main");
          const [user] = await Promise.all([main.users.create(newUser(`person-${n}`)), main.roles.create({ name: `role-${n}` })]);
          await addProfile(host, user.user_id);
          if (n % 4 === 3) throw new Error("every fourth one fails");
        });
      const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => one(n)));
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, (_, n) => (n % 4 === 3 ? "rejected" : "fulfilled")));
      const users = await committed.users.list({ q: "email:person-*", include_totals: true });
      const roles = await committed.roles.list({ name_filter: "role-", include_totals: true });
      expect([users.total, roles.total]).toEqual([12, 12]);
    });

    test.each(["resolves", "rejects"])(
      "completes all started calls before it ends when its function %s, even if no caller awaits them",
      async (outcomeOfFunction) => {
        const before = await allRows();
        const host = await begin();
        const begun: Promise<unknown>[] = [];
        const outcome = postern.inTransaction(host.data, async (inside) => {
          for (const name of ["left", "right"]) begun.push(inside.tenant("main").users.create(newUser(name)));
          await new Promise((resolve) => setImmediate(resolve));
          if (outcomeOfFunction === "rejects") throw new Error("the host's own");
        });
        await outcome.catch(() => {});
        const late = new Promise((resolve) => setTimeout(resolve, 50, "late"));
        expect(await Promise.race([Promise.all(begun), late])).toMatchObject([
          { email: "left@example.test" },
          { email: "right@example.test" },
        ]);
        await host.end("rollback");
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(await allRows()).toEqual(before);
      },
    );

    test("rejects calls after it ended, and lets the next transaction use its adapter", async () => {
      const host = await begin();
      const endedApi = await postern.inTransaction(host.data, async (inside) => inside);
      const { users } = endedApi.tenant("main");
      await expect(users.list()).rejects.toMatchObject({ code: "configuration_error", message: expect.stringMatching(/has ended/) });
      const found = await postern.inTransaction(host.data, (inside) => inside.tenant("main").users.list({ per_page: 1 }));
      expect(found).toHaveLength(1);
      await host.end("rollback");
    });

    test("hides uncommitted changes from other readers, including cached settings", async () => {
      const { friendly_name: name } = await committed.settings.get();
      await expect(
        inTransaction(async (inside) => {
          const { settings } = inside.tenant("main");
          await settings.update({ friendly_name: "Uncommitted" });
          expect((await settings.get()).friendly_name).toBe("Uncommitted");
          expect((await committed.settings.get()).friendly_name).toBe(name);
          throw new Error("rolled back");
        }),
      ).rejects.toThrow("rolled back");
      expect((await committed.settings.get()).friendly_name).toBe(name);
    });

    test("rejects after the database rolled it back for a deadlock, even if the call's error was caught", async () => {
      const [one, two] = [await committed.users.create(newUser("one")), await committed.users.create(newUser("two"))];
      const bothLocked = Promise.withResolvers<void>();
      let locked = 0;
      const updateCrosswise = (first: string, second: string) =>
        inTransaction(async (inside) => {
          const { users } = inside.tenant("main");
          await users.update(first, { name: first });
          if (++locked === 2) bothLocked.resolve();
          await bothLocked.promise;
          await users.update(second, { name: first }).catch(() => {});
          // If the database rolls the transaction back, this insert alone would otherwise persist.
          await users.create(newUser(`after-${first.slice(-4)}`)).catch(() => {});
        });
      const outcomes = await Promise.allSettled([updateCrosswise(one.user_id, two.user_id), updateCrosswise(two.user_id, one.user_id)]);
      const rejected = outcomes.filter(({ status }) => status === "rejected");
      expect(rejected).toMatchObject([{ reason: { code: "temporarily_unavailable" } }]);
      const names = [(await committed.users.get(one.user_id)).name, (await committed.users.get(two.user_id)).name];
      const winner = outcomes[0]?.status === "fulfilled" ? one : two;
      expect(names).toEqual([winner.user_id, winner.user_id]);
      expect(await committed.users.list({ q: "email:after-*" })).toHaveLength(1);
    });
  });
}
