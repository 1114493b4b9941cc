import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import type { Row } from "../../store/schema.ts";
import { leaveOrganization } from "../organizations/leave-organization.ts";
import { changeOwnPassword } from "./change-own-password.ts";
import { changeProfile } from "./change-profile.ts";
import { changeUsername } from "./change-username.ts";
import { linkOwnAccount } from "./link-own-account.ts";
import { unlinkOwnAccount } from "./unlink-own-account.ts";

/** Changes of accounts by users whose requests began before the user requested the deletion of the account. */

let logins: Logins;
let ann: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  ann = await logins.addUser({ email: "ann@example.com" });
});

const requestDeletion = () => {
  const at = logins.clock.now() + 86_400_000;
  return logins.data.users.update({ user_id: ann.user_id }, { set: { deletes_at: at, deletion_step_at: at }, add: { revision: 1 } });
};

test("a new username or password is not set after a request for deletion", async () => {
  const { tenant, connection, client } = logins;
  await requestDeletion();
  expect(await changeUsername(tenant, { connection, user: ann, username: "annie", client })).toBe("outdated");
  expect(await changeOwnPassword(tenant, { connection, user: ann, password: "a-new-password-1", sessionId: "s", client })).toBe(
    "lost-race",
  );
  expect(logins.audited).toEqual([]);
});

test("no profile is changed after a request for deletion or a report of a change", async () => {
  const { tenant, client, data, clock } = logins;
  const freeze = { factors_frozen_until: clock.now() + 1000 };
  await data.users.update({ user_id: ann.user_id }, { set: freeze, add: { revision: 1 } });
  await expect(changeProfile(tenant, { user: ann, client }, { name: "Annie" })).rejects.toThrow("paused");
  clock.advance("2s");
  await requestDeletion();
  await expect(changeProfile(tenant, { user: ann, client }, { name: "Annie" })).rejects.toThrow("deletion is pending");
  expect(await data.users.count({ user_id: ann.user_id, name: "Annie" })).toBe(0);
  expect(logins.audited).toEqual([]);
});

test("no account is linked or unlinked after a request for deletion", async () => {
  const { tenant, connection, client } = logins;
  const second = await logins.addUser({ email: "second@example.com" });
  await logins.link(second, ann);
  await requestDeletion();
  const upstream = { ...connection, id: "con_other", name: "other", strategy: "oidc" };
  const profile = { subject: "ann", emailVerified: false, emailOwned: false };
  expect(await linkOwnAccount(tenant, { user: ann, connection: upstream, profile, client })).toBe("outdated");
  expect(await unlinkOwnAccount(tenant, { user: ann, methods: [{ method: "pwd" }], client }, second.user_id)).toBe("outdated");
  expect(await logins.data.users.count({ linked_to: ann.user_id })).toBe(1);
  expect(logins.audited).toEqual([]);
});

test("a blocked user links no account", async () => {
  const { tenant, connection, client } = logins;
  await logins.data.users.update({ user_id: ann.user_id }, { set: { blocked: true }, add: { revision: 1 } });
  const upstream = { ...connection, id: "con_other", name: "other", strategy: "oidc" };
  const profile = { subject: "ann", emailVerified: false, emailOwned: false };
  expect(await linkOwnAccount(tenant, { user: ann, connection: upstream, profile, client })).toBe("outdated");
});

test("an organization is not left after a request for deletion or a report of a change", async () => {
  const { tenant, client, data, clock } = logins;
  await data.organization_members.insert([{ organization_id: "org_1", user_id: ann.user_id, created_at: clock.now() }]);
  const freeze = { factors_frozen_until: clock.now() + 1000 };
  await data.users.update({ user_id: ann.user_id }, { set: freeze, add: { revision: 1 } });
  await expect(leaveOrganization(tenant, { user: ann, client }, "org_1")).rejects.toThrow("paused");
  await requestDeletion();
  expect(await leaveOrganization(tenant, { user: ann, client }, "org_1")).toBe(false);
  expect(await data.organization_members.count({ organization_id: "org_1" })).toBe(1);
  expect(logins.audited).toEqual([]);
});
