import { compare, timingIssuer, post, samples, send, setUp, type TimedEndpoint } from "./with-and-without.ts";

// A program that `timing.ts` runs. It measures requests for a password reset with and without an account, at the
// endpoint and on the login pages.

const redirectUri = "https://app.example/callback";
const connection = "Username-Password-Authentication";
const manage = await setUp({ name: "App", app_type: "regular_web", callbacks: [redirectUri] });
const address = (known: boolean, endpoint: number, i: number): string => `${known ? "known" : "other"}-${endpoint}-${i}@example.com`;

const authorize = { client_id: "app", redirect_uri: redirectUri, response_type: "code", scope: "openid", state: "s" };
const endpoints: readonly TimedEndpoint[] = [
  {
    name: "/dbconnections/change_password",
    expected: /If an account exists/,
    prepare: async (email) => () => post("dbconnections/change_password", { client_id: "app", connection, email }),
  },
  {
    name: "reset page",
    expected: /"purpose":"reset-password"/,
    async prepare(email) {
      const started = await send(`authorize?${new URLSearchParams(authorize)}`);
      const state = new URL(started.headers.get("location") ?? "", timingIssuer).searchParams.get("state") ?? "";
      const cookie = started.headers
        .getSetCookie()
        .map((each) => each.split(";", 1).join())
        .join("; ");
      const shown = await send(`u/flow?${new URLSearchParams({ state })}`, { headers: { cookie } });
      let csrf = csrfOf(await shown.text());
      const submit = async (action: string, fields: object = {}): Promise<string> => {
        const answer = await post("u/flow", { state, csrf, action, ...fields }, { cookie });
        csrf = csrfOf(answer);
        return answer;
      };
      await submit("continue", { identifier: email });
      await submit("forgot-password");
      return () => submit("send-reset", { identifier: email });
    },
  },
];

function csrfOf(answer: string): string {
  const { csrf } = JSON.parse(answer) as { readonly csrf: string };
  return csrf;
}

for (const endpoint of endpoints.keys()) {
  for (let i = 0; i < samples; i++) await manage("users", { connection, email: address(true, endpoint, i), email_verified: true });
}
await compare(endpoints, address);
