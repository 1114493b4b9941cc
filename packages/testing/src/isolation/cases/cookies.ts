import { expectStatus } from "../answer.ts";
import { compare, neverMade } from "../compare.ts";
import type { Definition } from "../definition.ts";
import { newPerson } from "../people.ts";
import { newStand } from "../replay-at.ts";
import { authorization, beginLogin, browse, newApp, signIn, type Cookies } from "../visit.ts";

/** The session of a browser. */
export const cookieCases: readonly Definition[] = [
  {
    name: "session: its cookie, under its own name and under the other tenant's",
    async run(room) {
      const { owner, stranger } = room;
      const app = await newApp(owner);
      const cookies: Cookies = new Map();
      await signIn(owner, cookies, await beginLogin(owner, cookies, app), await newPerson(owner));
      const stand = await newStand(room);
      const comparison = compare(room);
      for (const query of questions(stand.app)) {
        for (const [name, value] of cookies) {
          await comparison.of(`the cookie ${name} at ${query}`, [value], (sent) => {
            const both = new Map([name, name.replace(owner.id, stranger.id)].map((each) => [each, sent]));
            return browse(stranger, both, "GET", query);
          });
        }
        const all = new Map([...cookies].flatMap(([name, value]) => [[name.replace(owner.id, stranger.id), value] as const]));
        await comparison.of(`all cookies at ${query}`, [[...all.values()].join()], (sent) =>
          browse(stranger, sent === [...all.values()].join() ? all : turned(all), "GET", query),
        );
      }
      comparison.end();
      const again = await browse(owner, cookies, "GET", "/authorize", { query: authorization(app, { prompt: "none" }) });
      expectStatus(again, 303, "the session no longer works in its own tenant");
      if (new URL(again.headers.get("location") ?? "").searchParams.get("code") === null)
        throw new Error(`the session no longer works in its own tenant: ${again.headers.get("location")}`);
    },
  },
];

const turned = (cookies: Cookies): Cookies => new Map([...cookies].map(([name, value]) => [name, neverMade(value)]));

/** Where a session is looked at. */
function questions(app: Parameters<typeof authorization>[0]): readonly string[] {
  return [
    `/authorize${authorization(app, { prompt: "none" })}`,
    `/authorize${authorization(app)}`,
    `/v2/logout?client_id=${app.clientId}`,
    `/oidc/logout?client_id=${app.clientId}`,
  ];
}
