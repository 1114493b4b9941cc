import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { authorize, successParameters, loginState, getFlow, screenName, step, type Account } from "../support/flow.ts";
import { insertProof } from "../support/rows.ts";
import { returnFromProvider, goToProvider, openFederation, signInAtProvider, findUsers, type Federation } from "./journey.ts";

/** What a sign-in at a provider begins from, and what it comes to, however often its process died on the way. */
interface Case {
  /** Prepares our side for whoever comes from the provider. */
  prepare(federation: Federation, person: Account): Promise<unknown>;
  /** Goes on where the person is asked something. */
  readonly proceed?: (federation: Federation, browser: ReturnType<Federation["service"]["browser"]>, state: string) => Promise<unknown>;
  readonly identities: readonly object[];
}

const local = { connection: "Username-Password-Authentication" };
const upstream = { connection: "fieldnotes" };
const password = "correct horse battery";

const cases: { readonly [what: string]: Case } = {
  "a first sign-in": { prepare: async () => undefined, identities: [upstream] },
  "a sign-in that is linked to an account that was proved": {
    prepare: async ({ service }, { email }) => insertProof(service, await service.addUser(email)),
    identities: [local, upstream],
  },
  "a sign-in that takes an account that nobody had proved": {
    prepare: ({ service }, { email }) => service.manage.create("/api/v2/users", { ...local, email, password }),
    identities: [local, upstream],
  },
};

/** Writes that one answer needs at most; a case that ends before has been seen whole. */
const mostWrites = 40;

test.each(Object.entries(cases))(
  "%s: a process that dies at any write leaves one account or none, and the next try ends well",
  async (_, { prepare, identities }) => {
    let count = 0;
    let last = Infinity;
    const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
      if (name !== "logs.insert" && count++ >= last) throw new Error("the process died");
      return run();
    });
    const federation = await openFederation({ data, logger: { log: () => {} } });
    await federation.connect({ options: { domain_aliases: ["people.example"] } });
    const { service, provider } = federation;
    let whole = false;
    for (let write = 0; write < mostWrites && !whole; write++) {
      const person = await provider.addUser(`p${write}@people.example`);
      await prepare(federation, person);
      const browser = service.browser();
      const back = await signInAtProvider(federation, await goToProvider(federation, browser, service.web), person);
      count = 0;
      last = write;
      await browser.get(back);
      whole = count <= write;
      last = Infinity;
      const again = service.browser();
      successParameters(
        await returnFromProvider(again, await signInAtProvider(federation, await goToProvider(federation, again, service.web), person)),
      );
      const users = await findUsers(federation, `email:${person.email}`);
      expect(users, `after write ${write}`).toHaveLength(1);
      expect(users[0]?.["identities"], `after write ${write}`).toMatchObject(identities);
    }
    expect(whole).toBe(true);
  },
);

test("a link that somebody agreed to: a process that dies at any write leaves it made or not, and the next try makes it", async () => {
  let count = 0;
  let last = Infinity;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    if (name !== "logs.insert" && count++ >= last) throw new Error("the process died");
    return run();
  });
  const federation = await openFederation({ data, logger: { log: () => {} } });
  await federation.connect();
  const { service, provider } = federation;
  const go = async (person: Account): Promise<void> => {
    const browser = service.browser();
    const reached = await returnFromProvider(
      browser,
      await signInAtProvider(federation, await goToProvider(federation, browser, service.web), person),
    );
    if (reached.kind !== "login") return;
    const state = loginState(reached);
    expect(screenName(await step(browser, state, { action: "link-account" }))).toBe("password");
    const { csrf } = await getFlow(browser, state);
    count = 0;
    await browser.post("/u/flow", { json: { state, csrf, action: "sign-in", password } });
  };
  let whole = false;
  for (let write = 0; write < mostWrites && !whole; write++) {
    const person = await provider.addUser(`q${write}@people.example`);
    await service.addUser(person.email);
    const arm = (at: number): void => void ((count = -Infinity), (last = at));
    arm(write);
    await go(person);
    whole = count <= write;
    last = Infinity;
    await go(person);
    const users = await findUsers(federation, `email:${person.email}`);
    expect(users, `after write ${write}`).toHaveLength(1);
    expect(users[0]?.["identities"], `after write ${write}`).toMatchObject([local, upstream]);
  }
  expect(whole).toBe(true);
  expect(await authorize(service.browser(), service.web)).toMatchObject({ kind: "login" });
});
