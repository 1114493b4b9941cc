import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { forEachWrite } from "../support/each-write.ts";
import { sendAuthorization, successParameters, loginState, getFlow, screenName, submitStep, type TestAccount } from "../support/flow.ts";
import { insertProof } from "../support/rows.ts";
import { returnFromProvider, goToProvider, openFederation, submitProviderSignIn, searchUsers, type Federation } from "./federation.ts";

/** A starting point of a sign-in at an identity provider, and its expected result after any crash. */
interface Case {
  /** Prepares the service for the user of the identity provider. */
  prepare(federation: Federation, user: TestAccount): Promise<unknown>;
  /** Continues the login if the user is prompted. */
  readonly proceed?: (federation: Federation, browser: ReturnType<Federation["service"]["browser"]>, state: string) => Promise<unknown>;
  readonly identities: readonly object[];
}

const local = { connection: "Username-Password-Authentication" };
const upstream = { connection: "fieldnotes" };
const password = "correct horse battery";

const cases: { readonly [what: string]: Case } = {
  "a first sign-in": { prepare: async () => undefined, identities: [upstream] },
  "a sign-in that is linked to a verified account": {
    prepare: async ({ service }, { email }) => insertProof(service, await service.addUser(email)),
    identities: [local, upstream],
  },
  "a sign-in that takes over an unverified account": {
    prepare: ({ service }, { email }) => service.manage.create("/api/v2/users", { ...local, email, password }),
    identities: [local, upstream],
  },
};

test.each(Object.entries(cases))(
  "%s: a crash at any write leaves one account or none, and the next attempt succeeds",
  async (_, { prepare, identities }) => {
    let count = 0;
    let last = Infinity;
    const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
      if (name !== "logs.insert" && ++count >= last) throw new Error("the process died");
      return run();
    });
    const federation = await openFederation({ data, logger: { log: () => {} } });
    await federation.connect({ options: { domain_aliases: ["people.example"] } });
    const { service, provider } = federation;
    let people = 0;
    await forEachWrite(async (write) => {
      const user = await provider.addUser(`p${people++}@people.example`);
      await prepare(federation, user);
      const browser = service.browser();
      const back = await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), user);
      count = 0;
      last = write;
      await browser.get(back);
      const writes = count;
      last = Infinity;
      const nextBrowser = service.browser();
      successParameters(
        await returnFromProvider(
          nextBrowser,
          await submitProviderSignIn(federation, await goToProvider(federation, nextBrowser, service.web), user),
        ),
      );
      const users = await searchUsers(federation, `email:${user.email}`);
      expect(users, `write ${write}`).toHaveLength(1);
      expect(users[0]?.["identities"], `write ${write}`).toMatchObject(identities);
      return writes;
    });
  },
);

test("after a crash at any write of a confirmed link, the next attempt stores the link", async () => {
  let count = 0;
  let last = Infinity;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    if (name !== "logs.insert" && ++count >= last) throw new Error("the process died");
    return run();
  });
  const federation = await openFederation({ data, logger: { log: () => {} } });
  await federation.connect();
  const { service, provider } = federation;
  const go = async (user: TestAccount): Promise<void> => {
    const browser = service.browser();
    const result = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), user),
    );
    if (result.kind !== "login") return;
    const state = loginState(result);
    expect(screenName(await submitStep(browser, state, { action: "link-account" }))).toBe("password");
    const { csrf } = await getFlow(browser, state);
    count = 0;
    await browser.post("/u/flow", { json: { state, csrf, action: "sign-in", password } });
  };
  let people = 0;
  await forEachWrite(async (write) => {
    const user = await provider.addUser(`q${people++}@people.example`);
    await service.addUser(user.email);
    const arm = (at: number): void => void ((count = -Infinity), (last = at));
    arm(write);
    await go(user);
    const writes = count;
    last = Infinity;
    await go(user);
    const users = await searchUsers(federation, `email:${user.email}`);
    expect(users, `write ${write}`).toHaveLength(1);
    expect(users[0]?.["identities"], `write ${write}`).toMatchObject([local, upstream]);
    return writes;
  });
  expect(await sendAuthorization(service.browser(), service.web)).toMatchObject({ kind: "login" });
});
