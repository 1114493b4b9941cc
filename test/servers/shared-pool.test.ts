import { PrismaPg } from "@prisma/adapter-pg";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPostern } from "@postern/core";
import { postgresAdapter } from "@postern/kysely";
import { ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";

const database = await ownPostgres("shared");
// One connection: whoever keeps it, or asks for a second one, is found out.
const pool = postgresPool(database.url, 1);
const data = postgresAdapter({ pool });
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
const visits = 9_007_199_254_740_993n; // no JavaScript number holds it

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

test("Drizzle and Postern share a pool of one connection, and neither reads the other's types differently", async () => {
  const db = drizzle({ client: pool });
  const user = await main.users.create({ connection, email: "ada@example.test", password: "Correct-horse-battery-7" });
  await db.insert(profiles).values({ userId: user.user_id, visits, seen });
  await main.users.update(user.user_id, { name: "Ada" });
  expect(await db.select().from(profiles)).toEqual([{ userId: user.user_id, visits, seen }]);
  expect(await main.users.get(user.user_id)).toMatchObject({ name: "Ada", created_at: user.created_at });
});

test("a transaction of Drizzle's that fails takes nothing of Postern's along, and Postern goes on with the connection", async () => {
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

test("Prisma's adapter and Postern share it as well", async () => {
  const prisma = await new PrismaPg(pool).connect();
  const user = await main.users.create({ connection, email: "edsger@example.test", password: "Correct-horse-battery-7" });
  const statement = `insert into profiles values ($1, $2, $3) returning "userId", visits`;
  const argTypes = (["string", "bigint", "datetime"] as const).map((scalarType) => ({ scalarType, arity: "scalar" as const }));
  const { rows } = await prisma.queryRaw({ sql: statement, args: [user.user_id, String(visits), seen.toISOString()], argTypes });
  expect(rows).toEqual([[user.user_id, String(visits)]]);
  expect((await main.users.list({ q: "email:edsger@example.test" })).map(({ user_id: id }) => id)).toEqual([user.user_id]);
  // A pool that was handed in stays the host's.
  await prisma.dispose();
  expect(await main.users.get(user.user_id)).toMatchObject({ email: "edsger@example.test" });
});
