import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/** What `timing.ts` runs, bundled: a new password for people who have an account, and for those who do not, by the endpoint and on the pages. */
const samples = 300;
/** Of the answer's own time. */
const allowed = 0.15;
const issuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-measurement";
const redirectUri = "https://app.example/callback";
const json = { "content-type": "application/json" };

const data = await openDatabase("sqlite::memory:");
await data.migrate();
const postern = createPostern({
  issuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
  defaultTenantId: "main",
  messages: { mail: { send: async () => {} } },
  logger: { log: () => {} },
});
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "manager", secret, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true },
    { clientId: "app", secret, settings: { name: "App", app_type: "regular_web", callbacks: [redirectUri] } },
  ],
});

async function post(path: string, body: object, headers: { readonly [name: string]: string } = {}): Promise<string> {
  const request = new Request(issuer + path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  return (await postern.fetch(request, { clientAddress: "192.0.2.7" })).text();
}

const asked = { grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` };
const { access_token: token } = JSON.parse(await post("oauth/token", asked)) as { readonly access_token: string };
const address = (known: boolean, door: number, i: number): string => `${known ? "known" : "other"}-${door}-${i}@example.com`;
const connection = "Username-Password-Authentication";

/** A way to ask for a new password: `prepare` is not timed, what it gives is. */
interface Door {
  readonly name: string;
  readonly says: RegExp;
  readonly prepare: (email: string) => Promise<() => Promise<string>>;
}

const authorize = { client_id: "app", redirect_uri: redirectUri, response_type: "code", scope: "openid", state: "s" };
const doors: readonly Door[] = [
  {
    name: "/dbconnections/change_password",
    says: /If there is an account/,
    prepare: async (email) => () => post("dbconnections/change_password", { client_id: "app", connection, email }),
  },
  {
    name: "reset page",
    says: /"purpose":"reset-password"/,
    async prepare(email) {
      const extra = { clientAddress: "192.0.2.7" };
      const begun = await postern.fetch(new Request(`${issuer}authorize?${new URLSearchParams(authorize)}`), extra);
      const state = new URL(begun.headers.get("location") ?? "", issuer).searchParams.get("state") ?? "";
      const cookie = begun.headers
        .getSetCookie()
        .map((each) => each.split(";", 1).join())
        .join("; ");
      const shown = await postern.fetch(new Request(`${issuer}u/flow?${new URLSearchParams({ state })}`, { headers: { cookie } }), extra);
      let csrf = csrfOf(await shown.text());
      const act = async (action: string, fields: object = {}): Promise<string> => {
        const answer = await post("u/flow", { state, csrf, action, ...fields }, { cookie });
        csrf = csrfOf(answer);
        return answer;
      };
      await act("continue", { identifier: email });
      await act("forgot-password");
      return () => act("send-reset", { identifier: email });
    },
  },
];

function csrfOf(answer: string): string {
  const { csrf } = JSON.parse(answer) as { readonly csrf: string };
  return csrf;
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

for (const [number, { name, says, prepare }] of doors.entries()) {
  for (let i = 0; i < samples; i++) {
    await post("api/v2/users", { connection, email: address(true, number, i), email_verified: true }, { authorization: `Bearer ${token}` });
  }
  const taken = new Map<boolean, number[]>([true, false].map((known) => [known, []]));
  for (let i = 0; i < samples; i++) {
    // Each time the other one begins.
    for (const known of i % 2 === 0 ? [true, false] : [false, true]) {
      const attempt = await prepare(address(known, number, i));
      let answer = "";
      taken.get(known)?.push(await time(async () => (answer = await attempt())));
      if (!says.test(answer)) throw new Error(`${name}: ${answer.slice(0, 2000)}`);
    }
  }
  const [known, unknown] = [median(taken.get(true) ?? []), median(taken.get(false) ?? [])];
  const difference = Math.abs(known - unknown) / Math.min(known, unknown);
  console.log(`${name}: somebody with an account ${known.toFixed(2)} ms, without ${unknown.toFixed(2)} ms`);
  console.log(`  they differ by ${(difference * 100).toFixed(1)} %; ${allowed * 100} % are allowed`);
  if (!(difference <= allowed)) process.exitCode = 1;
}
await data.close();
