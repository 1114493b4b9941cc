import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { aroundWrites, decisiveMomentsOf, type Moment } from "../servers/support/around-writes.ts";
import { jsonBody, list, stringMember } from "../support/api.ts";
import type { TestAccount } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";
import { appKey, openLinkingService, userPath, type LinkingService } from "./linked-support.ts";
import { setPolicies } from "./support.ts";

/**
 * A process that crashes before or after any write of linking or unlinking loses no factor and leaves no account without
 * its factors. The same request completes the change afterwards.
 */

/** An adapter whose process can crash: the write of a moment and all later writes fail until it recovers. */
interface CrashingAdapter extends DataAdapter {
  readonly writes: string[];
  crashAt(moment: Moment): void;
  recover(): void;
}

function crashingAdapter(): CrashingAdapter {
  const writes: string[] = [];
  let crash: Moment | undefined;
  let isCrashed = false;
  const lost = new Error("the process crashed");
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    if (isCrashed) throw lost;
    writes.push(name);
    const at = crash?.write === writes.length ? crash.side : undefined;
    if (at === undefined) return run();
    isCrashed = true;
    if (at === "after") await run();
    throw lost;
  });
  return {
    ...data,
    writes,
    crashAt(moment) {
      writes.length = 0;
      crash = moment;
    },
    recover() {
      crash = undefined;
      isCrashed = false;
    },
  };
}

interface Scene {
  readonly data: CrashingAdapter;
  readonly service: LinkingService;
  readonly ann: TestAccount;
  readonly bob: TestAccount;
}

let serial = 0;

/** Adds Ann with these types of factors, and Bob, who has an app and a recovery code. */
async function addScene(
  { data, service }: Pick<Scene, "data" | "service">,
  typesOfAnn: readonly string[],
  isLinked: boolean,
): Promise<Scene> {
  serial++;
  const ann = await service.addLinkingUser(`ann-${serial}@example.test`);
  const bob = await service.addLinkingUser(`bob-${serial}@work.test`, 1);
  jsonBody(await service.manage("POST", `${userPath(bob)}/recovery-code-regeneration`));
  const bodies = { totp: { totp_secret: appKey }, phone: { phone_number: "+4915112345678" } };
  for (const [type, body] of Object.entries(bodies))
    if (typesOfAnn.includes(type)) await service.manage.create(`${userPath(ann)}/authentication-methods`, { type, ...body });
  if (isLinked) expect(await service.linkAsAdmin(ann, bob)).toMatchObject({ status: 201 });
  return { data, service, ann, bob };
}

/** Returns the types of the authenticators that a sign-in with the password lists. Requires that it needs one. */
async function challengesOf({ service }: Scene, account: TestAccount): Promise<readonly string[]> {
  const mfa_token = stringMember(await service.begin(account), "mfa_token");
  return list(await service.authenticators(mfa_token))
    .map((one) => stringMember(one, "type"))
    .filter((type) => type !== "email")
    .toSorted();
}

const apiTypes: { readonly [type: string]: string } = { totp: "otp", phone: "phone" };

/** Expects the factors of both accounts, as they are linked now. @returns whether they are linked. */
async function expectFactors(scene: Scene, typesOfAnn: readonly string[], after: string): Promise<boolean> {
  const { ann, bob, data } = scene;
  const ids = [ann.userId, bob.userId];
  const rows = await data.collections.users.find({ where: { tenant_id: "main", user_id: { in: ids } }, limit: 2 });
  const isLinked = rows.some(({ user_id: id, linked_to: to }) => id === bob.userId && to === ann.userId);
  const own = typesOfAnn.map((type) => apiTypes[type] ?? type);
  if (isLinked) {
    const both = [...own, "otp"].toSorted();
    expect([await challengesOf(scene, ann), await challengesOf(scene, bob)], after).toEqual([both, both]);
    const count = rows.find(({ user_id: id }) => id === ann.userId)?.linked_count;
    expect(count, after).toBeGreaterThan(0);
  } else {
    expect(await challengesOf(scene, bob), after).toEqual(["otp", "recovery-code"]);
    if (own.length > 0) expect(await challengesOf(scene, ann), after).toEqual(own.toSorted());
  }
  return isLinked;
}

describe.each([[[]], [["phone"]], [["totp"]]])("a primary account with the factors %j", (typesOfAnn) => {
  const link = ({ service, ann, bob }: Scene): Promise<ApiResponse> => service.linkAsAdmin(ann, bob);
  const unlink = ({ service, ann, bob }: Scene): Promise<ApiResponse> => service.unlink(ann, bob);

  test.each([
    ["linking", false, link, [201, 409]],
    ["unlinking", true, unlink, [200, 404]],
  ])("keeps all factors if the process crashes before or after any write of %s", async (_, wasLinked, change, completed) => {
    const data = crashingAdapter();
    const service = await openLinkingService({ data, logger: { log() {} } });
    await setPolicies(service, ["all-applications"]);
    const first = await addScene({ data, service }, typesOfAnn, wasLinked);
    data.writes.length = 0;
    expect(await change(first)).toMatchObject({ status: completed[0] });
    const writes = [...data.writes];
    expect(writes.filter((name) => name === "users.update").length).toBeGreaterThan(1);
    for (const moment of decisiveMomentsOf(writes)) {
      const after = `a crash ${moment.side} write ${moment.write}, ${moment.name}`;
      const scene = await addScene({ data, service }, typesOfAnn, wasLinked);
      data.crashAt(moment);
      expect((await change(scene)).status, after).toBe(500);
      data.recover();
      await expectFactors(scene, typesOfAnn, after);
      expect(completed, after).toContain((await change(scene)).status);
      expect(await expectFactors(scene, typesOfAnn, after)).toBe(!wasLinked);
      // The account can be linked again, and gets its factors back at the end.
      if (wasLinked) expect((await link(scene)).status, after).toBe(201);
      expect((await unlink(scene)).status, after).toBe(200);
      expect(await expectFactors(scene, typesOfAnn, after)).toBe(false);
    }
  });
});
