import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { afterAll, describe, expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { jsonBody, list, stringMember } from "../support/api.ts";
import type { TestAccount } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";
import { appKey, openLinkingService, userPath, type LinkingService } from "./linked-support.ts";
import { otpGrant } from "./mfa-api-support.ts";
import { expectCompleteLists, testLinkedFactorRaces } from "../support/races-of-linked-factors.ts";
import { setPolicies, totpAt } from "./support.ts";

/** Linking and unlinking, while another request runs to its end between any two of its writes. */

interface Scene {
  readonly data: PausingAdapter;
  readonly service: LinkingService;
  /** Has a phone. */
  readonly ann: TestAccount;
  /** Has an authenticator app. */
  readonly bob: TestAccount;
  /** The key of an authenticator app that Bob or Ann is adding, and the `mfa_token` of the addition. */
  readonly added?: { readonly mfa_token: string; readonly secret: string };
}

type Operation = (scene: Scene) => Promise<ApiResponse>;

const methods = (account: TestAccount): string => `${userPath(account)}/authentication-methods`;
const home = { type: "phone", phone_number: "+4915112345678" };

const link: Operation = ({ service, ann, bob }) => service.linkAsAdmin(ann, bob);
const unlink: Operation = ({ service, ann, bob }) => service.unlink(ann, bob);
const removeFirst =
  (of: "ann" | "bob", type: string): Operation =>
  async ({ service, ann, bob }) => {
    const account = of === "ann" ? ann : bob;
    const listed = await service.manage("GET", methods(account));
    const id = listed.status === 200 ? list(listed).find((method) => method["type"] === type)?.["id"] : undefined;
    return service.manage("DELETE", `${methods(account)}/${encodeURIComponent(String(id ?? "none"))}`);
  };
const add =
  (to: "ann" | "bob", body: object): Operation =>
  ({ service, ann, bob }) =>
    service.manage("POST", methods(to === "ann" ? ann : bob), body);
const removeAll =
  (of: "ann" | "bob"): Operation =>
  ({ service, ann, bob }) =>
    service.manage("DELETE", methods(of === "ann" ? ann : bob));
/** Bob confirms the app that he is adding with the MFA API. */
const confirm: Operation = ({ service, added }) =>
  service.grant(otpGrant, { mfa_token: added?.mfa_token ?? "", otp: totpAt(added?.secret ?? "", service.clock.now()) });

interface Options {
  readonly isLinked?: boolean;
  readonly isAdding?: boolean;
}

let serial = 0;

/** @param isAdding whether Bob has no factor yet, and is adding an app. */
async function addScene(
  { data, service }: Pick<Scene, "data" | "service">,
  { isLinked = false, isAdding = false }: Options,
): Promise<Scene> {
  serial++;
  const ann = await service.addLinkingUser(`ann-${serial}@example.test`);
  const bob = await service.addLinkingUser(`bob-${serial}@work.test`, isAdding ? 0 : 1);
  await service.manage.create(methods(ann), home);
  const scene = { data, service, ann, bob };
  if (isLinked) expect(await link(scene)).toMatchObject({ status: 201 });
  if (!isAdding) return scene;
  const mfa_token = stringMember(await service.begin(bob), "mfa_token");
  const secret = stringMember(jsonBody(await service.associate(mfa_token, { authenticator_types: ["otp"] })), "secret");
  return { ...scene, added: { mfa_token, secret } };
}

test.each<readonly [string, Operation, Operation, Options]>([
  ["a link, and the addition of a factor to the account", link, add("bob", { type: "phone", phone_number: "+4915187654321" }), {}],
  ["a link, and the removal of the account's factor", link, removeFirst("bob", "totp"), {}],
  ["a link, and the confirmation of the account's first factor", link, confirm, { isAdding: true }],
  ["a link, and the addition of a factor to the user", link, add("ann", { type: "totp", name: "app", totp_secret: appKey }), {}],
  ["a link, and the removal of the user's factor", link, removeFirst("ann", "phone"), {}],
  ["a link, and the removal of all factors of the user", link, removeAll("ann"), {}],
  ["an unlink, and the removal of the account's factor", unlink, removeFirst("ann", "totp"), { isLinked: true }],
  ["an unlink, and the removal of all factors", unlink, removeAll("ann"), { isLinked: true }],
  [
    "an unlink, and the addition of a factor to the user",
    unlink,
    add("ann", { type: "totp", name: "app", totp_secret: appKey }),
    { isLinked: true },
  ],
])("%s: the lists of factor types are complete if one runs between any two writes of the other", async (_, first, second, options) => {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const service = await openLinkingService({ data });
  await setPolicies(service, ["all-applications"]);
  for (const [paused, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const initial = await addScene({ data, service }, options);
    for (const moment of decisiveMomentsOf(await data.writesOf(() => paused(initial)))) {
      const after = `${paused === first ? "first" : "second"}, ${moment.side} ${moment.write} ${moment.name}`;
      const scene = await addScene({ data, service }, options);
      const replies = await data.interleave(
        moment,
        () => paused(scene),
        () => other(scene),
      );
      for (const { status } of replies) expect([200, 201, 204, 401, 403, 404, 409], after).toContain(status);
      await expectCompleteLists(scene, after);
    }
  }
});

describe("on SQLite, with two connections", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-linked-factors-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  testLinkedFactorRaces(async () => {
    const url = `sqlite:${join(folder, "test.db")}`;
    const both = [await openDatabase(url), await openDatabase(url)] as const;
    await both[0].migrate();
    return both;
  });
});
