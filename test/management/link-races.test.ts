import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { sampled } from "../support/nightly.ts";
import { createTestPostern, type ApiResponse } from "../support/postern.ts";

const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];

interface Setup {
  readonly data: PausingAdapter;
  readonly manage: Manager;
  readonly ids: { readonly [name in Name]: string };
}

async function createSetup(): Promise<Setup> {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const manage = await managerOf(await createTestPostern({ data }));
  const create = async (name: Name): Promise<string> =>
    stringMember(
      await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email: `${name}@example.test` }),
      "user_id",
    );
  return { data, manage, ids: { a: await create("a"), b: await create("b"), c: await create("c") } };
}

const at = (userId: string): string => `/api/v2/users/${encodeURIComponent(userId)}`;
const bareId = (userId: string): string => userId.split("|")[1] ?? "";

type Operation = (setup: Setup) => Promise<ApiResponse>;

const link =
  (to: Name, account: Name): Operation =>
  ({ manage, ids }) =>
    manage("POST", `${at(ids[to])}/identities`, { provider: "auth0", user_id: ids[account] });
const unlink =
  (from: Name, account: Name): Operation =>
  ({ manage, ids }) =>
    manage("DELETE", `${at(ids[from])}/identities/auth0/${bareId(ids[account])}`);
const read: Operation = ({ manage, ids }) => manage("GET", at(ids.a));

/**
 * Checks that each account is either a user or linked to exactly one user, and that `linked_count` matches the linked
 * accounts.
 */
async function check({ manage, ids, data }: Setup): Promise<void> {
  const found: string[] = [];
  for (const name of names) {
    const answer = await manage("GET", at(ids[name]));
    if (answer.status === 404) continue;
    const identities = [jsonBody(answer)["identities"]].flat().map((identity) => stringMember({ ...Object(identity) }, "user_id"));
    expect(identities[0]).toBe(bareId(ids[name]));
    found.push(...identities);
  }
  expect(found.toSorted()).toEqual(names.map((name) => bareId(ids[name])).toSorted());
  const rows = await data.collections.users.find({ where: { tenant_id: "main" }, limit: 10 });
  for (const row of rows) expect(row.linked_count, row.email).toBe(rows.filter(({ linked_to: to }) => to === row.user_id).length);
}

/** For each decisive write of `paused`: pauses it there, runs `other` to its end, and then checks the accounts. */
async function interleaveAll(before: Operation, paused: Operation, other: Operation): Promise<void> {
  const initial = await createSetup();
  await before(initial);
  for (const moment of sampled("pauses", decisiveMomentsOf(await initial.data.writesOf(() => paused(initial))))) {
    const setup = await createSetup();
    await before(setup);
    const answers = await setup.data.interleave(
      moment,
      () => paused(setup),
      () => other(setup),
    );
    for (const { status } of answers) expect([200, 201, 400, 404, 409]).toContain(status);
    await check(setup);
  }
}

test.each<readonly [string, Operation, Operation, Operation]>([
  ["a link, and a link of its user to another user", read, link("a", "b"), link("c", "a")],
  ["a link, and a link of its account to another user", read, link("a", "b"), link("c", "b")],
  ["a link, and the reverse link", read, link("a", "b"), link("b", "a")],
  ["a link, and the same link", read, link("a", "b"), link("a", "b")],
  ["a link, and a link of another account", read, link("a", "b"), link("a", "c")],
  ["an unlink, and the same unlink", link("a", "b"), unlink("a", "b"), unlink("a", "b")],
  ["an unlink, and a link of another account", link("a", "b"), unlink("a", "b"), link("a", "c")],
])("%s: accounts stay consistent if one runs between any two writes of the other", async (_, before, first, second) => {
  await interleaveAll(before, first, second);
  await interleaveAll(before, second, first);
});

// The reverse order is not tested: while the account is linked, the link is rejected before its first write.
test("an unlink, and a link of the account between its writes: accounts stay consistent", async () => {
  await interleaveAll(link("a", "b"), unlink("a", "b"), link("c", "b"));
});
