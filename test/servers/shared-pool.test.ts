import { PrismaPg } from "@prisma/adapter-pg";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createPostern } from "@postern/core";
import { createPostgresAdapter } from "@postern/kysely";
import { kyselyOn, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { npmEnv } from "./support/packed.ts";

const database = await ownPostgres("shared");
// A pool of one connection reveals code that keeps a connection or needs a second one.
const pool = postgresPool(database.url, 1);
const data = createPostgresAdapter({ pool });
const postern = createPostern({
  issuer: "https://id.example.test/",
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef" },
  defaultTenantId: "main",
});
const main = postern.tenant("main");

const profiles = pgTable("profiles", {
  userId: text().primaryKey(),
  visits: bigint({ mode: "bigint" }).notNull(),
  seen: timestamp({ withTimezone: true }).notNull(),
});

const connection = "Username-Password-Authentication";
const seen = new Date("2026-07-01T12:00:00Z");
const visits = 9_007_199_254_740_993n; // above Number.MAX_SAFE_INTEGER

beforeAll(async () => {
  await data.migrate();
  await postern.seed({ tenantId: "main", connections: [{ name: connection, strategy: "auth0" }] });
  await pool.query(`create table profiles ("userId" text primary key, visits bigint not null, seen timestamptz not null)`);
});

afterAll(async () => {
  await postern.close();
  await data.close();
  await pool.end();
  await database.drop();
});

test("Drizzle and Postern share a pool of one connection, and each keeps its own type parsers", async () => {
  const db = drizzle({ client: pool });
  const user = await main.users.create({ connection, email: "ada@example.test", password: "Correct-horse-battery-7" });
  await db.insert(profiles).values({ userId: user.user_id, visits, seen });
  await main.users.update(user.user_id, { name: "Ada" });
  expect(await db.select().from(profiles)).toEqual([{ userId: user.user_id, visits, seen }]);
  expect(await main.users.get(user.user_id)).toMatchObject({ name: "Ada", created_at: user.created_at });
});

test("a failed transaction of Drizzle does not affect Postern's rows, and Postern can use the connection afterwards", async () => {
  const db = drizzle({ client: pool });
  const user = await main.users.create({ connection, email: "grace@example.test", password: "Correct-horse-battery-7" });
  await expect(
    db.transaction(async (tx) => {
      await tx.insert(profiles).values({ userId: user.user_id, visits, seen });
      await tx.insert(profiles).values({ userId: user.user_id, visits, seen });
    }),
  ).rejects.toThrow();
  expect(await db.select().from(profiles).where(eq(profiles.userId, user.user_id))).toEqual([]);
  expect((await main.users.get(user.user_id)).email).toBe("grace@example.test");
});

test("Prisma's adapter and Postern share a pool of one connection", async () => {
  const prisma = await new PrismaPg(pool).connect();
  const user = await main.users.create({ connection, email: "edsger@example.test", password: "Correct-horse-battery-7" });
  const statement = `insert into profiles values ($1, $2, $3) returning "userId", visits`;
  const argTypes = (["string", "bigint", "datetime"] as const).map((scalarType) => ({ scalarType, arity: "scalar" as const }));
  const { rows } = await prisma.queryRaw({ sql: statement, args: [user.user_id, String(visits), seen.toISOString()], argTypes });
  expect(rows).toEqual([[user.user_id, String(visits)]]);
  expect((await main.users.list({ q: "email:edsger@example.test" })).map(({ user_id: id }) => id)).toEqual([user.user_id]);
  // Prisma does not end a pool that the host passed in.
  await prisma.dispose();
  expect(await main.users.get(user.user_id)).toMatchObject({ email: "edsger@example.test" });
});

const newUser = (name: string) => ({ connection, email: `${name}@example.test`, password: "Correct-horse-battery-7" });
const exists = async (email: string): Promise<boolean> => (await main.usersByEmail.list({ email })).length === 1;

test("Drizzle and Postern share a transaction", async () => {
  const client = await pool.connect();
  const signUp = (name: string, profile: typeof profiles.$inferInsert | undefined) =>
    drizzle({ client }).transaction(async (tx) => {
      const user = await postern.inTransaction(data.within(client), (inside) => inside.tenant("main").users.create(newUser(name)));
      await tx.insert(profiles).values(profile ?? { userId: user.user_id, visits, seen });
      return user;
    });
  const stored = await signUp("barbara", undefined);
  await expect(signUp("donald", { userId: stored.user_id, visits, seen })).rejects.toThrow();
  client.release();
  expect([await exists("barbara@example.test"), await exists("donald@example.test")]).toEqual([true, false]);
  expect(await drizzle({ client: pool }).select().from(profiles).where(eq(profiles.userId, stored.user_id))).toHaveLength(1);
});

test("Kysely and Postern share a transaction", async () => {
  const client = await pool.connect();
  const db = kyselyOn<{ profiles: { userId: string; visits: bigint; seen: Date } }>(client);
  const signUp = (name: string, userId?: string) =>
    db.transaction().execute(async (trx) => {
      const user = await postern.inTransaction(data.within(client), (inside) => inside.tenant("main").users.create(newUser(name)));
      await trx
        .insertInto("profiles")
        .values({ userId: userId ?? user.user_id, visits, seen })
        .execute();
      return user;
    });
  const stored = await signUp("frances");
  await expect(signUp("kathleen", stored.user_id)).rejects.toThrow();
  client.release();
  expect([await exists("frances@example.test"), await exists("kathleen@example.test")]).toEqual([true, false]);
});

/** The part of Prisma's generated client that this test uses. */
interface GeneratedClient {
  readonly profile: {
    create(given: { data: { userId: string; visits: bigint; seen: Date } }): Promise<unknown>;
    findUnique(given: { where: { userId: string } }): Promise<unknown>;
  };
  $disconnect(): Promise<void>;
}

test("Prisma's generated client reads its own model on the shared pool", { timeout: 600_000 }, async ({ skip }) => {
  // The test of Prisma's adapter runs the code that the generated client calls.
  if (!isNightly) skip(onlyNightly);
  const folder = mkdtempSync(join(tmpdir(), "postern-prisma-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  mkdirSync(join(folder, "prisma"));
  writeFileSync(
    join(folder, "prisma/schema.prisma"),
    `generator client {
  provider = "prisma-client"
  output   = "../client"
  generatedFileExtension = "ts"
  importFileExtension = "ts"
}
datasource db {
  provider = "postgresql"
}
model Profile {
  userId String   @id
  visits BigInt
  seen   DateTime @db.Timestamptz
  @@map("profiles")
}
`,
  );
  const config = `import { defineConfig } from "prisma/config";\nexport default defineConfig({ schema: "prisma/schema.prisma" });\n`;
  writeFileSync(join(folder, "prisma.config.ts"), config);
  const run = promisify(execFile);
  await fromRegistry("Prisma", skip, () =>
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "prisma@7", "@prisma/client@7"], { cwd: folder, env: npmEnv }),
  );
  // `prisma generate` needs no schema engine. With this variable, the command does not download one from Prisma's
  // server.
  const env = { ...npmEnv, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  await run("npx", ["prisma", "generate"], { cwd: folder, env });

  const generated = (await import(pathToFileURL(join(folder, "client/client.ts")).href)) as {
    readonly PrismaClient: new (options: { readonly adapter: PrismaPg }) => GeneratedClient;
  };
  const prisma = new generated.PrismaClient({ adapter: new PrismaPg(pool) });
  const user = await main.users.create(newUser("margaret"));
  await prisma.profile.create({ data: { userId: user.user_id, visits, seen } });
  await main.users.update(user.user_id, { name: "Margaret" });
  expect(await prisma.profile.findUnique({ where: { userId: user.user_id } })).toEqual({ userId: user.user_id, visits, seen });
  await prisma.$disconnect();
  expect(await main.users.get(user.user_id)).toMatchObject({ name: "Margaret" });
});
