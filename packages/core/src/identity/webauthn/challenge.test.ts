import { createMemoryAdapter } from "@postern/memory";
import { base64url } from "jose";
import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { tenantData } from "../../store/tenant-data.ts";
import { createChallenge, useChallenge, type ChallengePlace } from "./challenge.ts";

const place: ChallengePlace = { ceremony: "get", rpId: "id.example.test", boundTo: "login-1", subject: "auth0|ann" };
let logins: Logins;
const create = () => createChallenge(logins.tenant, place);
const use = (challenge: string, at: Partial<ChallengePlace> = {}) => useChallenge(logins.tenant, { ...place, ...at }, challenge);

beforeEach(async () => {
  logins = await createLogins();
});

test("a challenge has 32 bytes, and creating one stores nothing", async () => {
  const before = logins.statements.length;
  const [one, two] = [await create(), await create()];
  expect(base64url.decode(one)).toHaveLength(32);
  expect(one).not.toBe(two);
  expect(logins.statements.length).toBe(before);
  expect([await use(one), await use(two)]).toEqual([true, true]);
});

test("of 32 parallel uses of a challenge, one succeeds", async () => {
  const challenge = await create();
  const used = await Promise.all(Array.from({ length: 32 }, () => use(challenge)));
  expect(used.filter(Boolean)).toHaveLength(1);
});

test("a challenge that was used stays used when its last character is changed to one with equal bytes", async () => {
  const challenge = await create();
  expect(await use(challenge)).toBe(true);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(challenge.slice(-1));
  expect(last % 4).toBe(0);
  for (const more of [1, 2, 3]) expect(await use(challenge.slice(0, -1) + alphabet.charAt(last + more))).toBe(false);
});

test.each([
  ["another ceremony", { ceremony: "create" }],
  ["another RP ID", { rpId: "other.example.test" }],
  ["another login session", { boundTo: "login-2" }],
  ["another user", { subject: "auth0|bob" }],
  ["any user", { subject: "" }],
] as const)("a challenge is invalid for %s, and that does not use it", async (_which, at) => {
  const challenge = await create();
  expect(await use(challenge, at)).toBe(false);
  expect(await use(challenge)).toBe(true);
});

test("a challenge is invalid in another tenant", async () => {
  const challenge = await create();
  const other = { ...logins.tenant, data: tenantData(createMemoryAdapter().collections, "t2") };
  expect(await useChallenge(other, place, challenge)).toBe(false);
});

test.each([
  ["create", 10],
  ["conditional-create", 10],
  ["get", 60],
] as const)("a challenge to %s expires after %d minutes, and its row is stored until no clock can accept it", async (ceremony, minutes) => {
  const at = { ...place, ceremony };
  const [early, late] = [await createChallenge(logins.tenant, at), await createChallenge(logins.tenant, at)];
  logins.clock.advance(`${minutes - 1}m`);
  expect(await use(early, at)).toBe(true);
  const [row] = await logins.data.tickets.find({ where: { user_id: "" }, limit: 1 });
  expect(row?.purpose).toBe("webauthn");
  expect(row?.expires_at).toBe(logins.clock.now() + (minutes + 1) * 60_000);
  logins.clock.advance("1m");
  expect(await use(late, at)).toBe(false);
});

test.each([
  ["text that is too short", (text: string) => text.slice(1)],
  ["text that is too long", (text: string) => `${text}A`],
  ["padding", (text: string) => `${text}=`],
  ["a later time", (text: string) => `B${text.slice(1)}`],
  ["another hash", (text: string) => `${text.slice(0, 30)}${text.charAt(30) === "A" ? "B" : "A"}${text.slice(31)}`],
  ["nothing", () => ""],
])("a challenge with %s is invalid and stores nothing", async (_which, change) => {
  expect(await use(change(await create()))).toBe(false);
  expect(await logins.data.tickets.count({ user_id: "" })).toBe(0);
});

test("deleting the tickets of the user does not make a challenge valid again", async () => {
  const challenge = await create();
  expect(await use(challenge)).toBe(true);
  await logins.data.tickets.delete({ user_id: place.subject });
  expect(await use(challenge)).toBe(false);
});
