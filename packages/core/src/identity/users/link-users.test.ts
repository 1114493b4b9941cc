import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import type { DataContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import type { Row } from "../../store/schema.ts";
import { announceLink } from "./link-users.ts";

let logins: Logins;
let ann: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  ann = await logins.addUser({ email: "ann@example.com" });
});

/** A context in which another request changes the user before each write. */
const changedBefore = (change: Partial<Row<"users">>): DataContext => {
  const { users } = logins.data;
  const update: typeof users.update = async (...written) => {
    await users.update({ user_id: ann.user_id }, { set: change, add: { revision: 1 } });
    return users.update(...written);
  };
  return { ...logins.tenant, data: { ...logins.data, users: { ...users, update } } };
};

const read = async (): Promise<Row<"users"> | undefined> =>
  (await logins.data.users.find({ where: { user_id: ann.user_id }, limit: 1 }))[0];

test("a link is announced although parallel logins keep changing the user", async () => {
  await announceLink(changedBefore({ last_ip: "192.0.2.7" }), ann, ["totp"], { primary: async () => {} });
  expect(await read()).toMatchObject({ linked_count: 1, enrolled_factors: ["totp"] });
});

test("a link is permitted again for a user whose factors another request has changed", async () => {
  const permitted: (readonly string[] | null)[] = [];
  const primary = async ({ enrolled_factors: types }: Row<"users">): Promise<void> => {
    permitted.push(types);
    if (types !== null) throw new PosternError("conflict", "The user has a factor.");
  };
  const change = { enrolled_factors: ["totp"], factors_changed_at: logins.clock.now() };
  await expect(announceLink(changedBefore(change), ann, [], { primary })).rejects.toThrow("The user has a factor.");
  expect(permitted).toEqual([null, ["totp"]]);
  expect(await read()).toMatchObject({ linked_count: 0 });
});
