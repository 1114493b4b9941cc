import { expectStatus } from "../response.ts";
import { startComparison, unissuedValue } from "../comparison.ts";
import type { IsolationDefinition } from "../definition.ts";
import { createTestUser } from "../users.ts";
import { createAttacker } from "../replay-artifact.ts";
import { authorizationQuery, startUserLogin, browse, createClient, signInUser, type VisitCookies } from "../browser-flows.ts";

/** Cases that replay the session cookies of a browser. */
export const cookieCases: readonly IsolationDefinition[] = [
  {
    name: "session: its cookie, under its own name and under the other tenant's",
    async run(fixture) {
      const { owner, stranger } = fixture;
      const client = await createClient(owner);
      const cookies: VisitCookies = new Map();
      await signInUser(owner, cookies, await startUserLogin(owner, cookies, client), await createTestUser(owner));
      const attacker = await createAttacker(fixture);
      const comparison = startComparison(fixture);
      for (const query of sessionUrls(attacker.client)) {
        for (const [name, value] of cookies) {
          await comparison.compare(`the cookie ${name} at ${query}`, [value], (sent) => {
            const bothNames = new Map([name, name.replace(owner.id, stranger.id)].map((each) => [each, sent]));
            return browse(stranger, bothNames, "GET", query);
          });
        }
        const renamedCookies = new Map([...cookies].flatMap(([name, value]) => [[name.replace(owner.id, stranger.id), value] as const]));
        await comparison.compare(`renamedCookies cookies at ${query}`, [[...renamedCookies.values()].join()], (sent) =>
          browse(
            stranger,
            sent === [...renamedCookies.values()].join() ? renamedCookies : withUnissuedValues(renamedCookies),
            "GET",
            query,
          ),
        );
      }
      comparison.assertNoDifference();
      const ownResponse = await browse(owner, cookies, "GET", "/authorize", { query: authorizationQuery(client, { prompt: "none" }) });
      expectStatus(ownResponse, 303, "the session no longer works in its own tenant");
      if (new URL(ownResponse.headers.get("location") ?? "").searchParams.get("code") === null)
        throw new Error(`the session no longer works in its own tenant: ${ownResponse.headers.get("location")}`);
    },
  },
];

const withUnissuedValues = (cookies: VisitCookies): VisitCookies =>
  new Map([...cookies].map(([name, value]) => [name, unissuedValue(value)]));

/** Returns the URLs at which the service reads a session. */
function sessionUrls(client: Parameters<typeof authorizationQuery>[0]): readonly string[] {
  return [
    `/authorize${authorizationQuery(client, { prompt: "none" })}`,
    `/authorize${authorizationQuery(client)}`,
    `/v2/logout?client_id=${client.clientId}`,
    `/oidc/logout?client_id=${client.clientId}`,
  ];
}
