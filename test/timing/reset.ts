import { compare, issuer, post, samples, send, setUp, type Door } from "./with-and-without.ts";

// What `timing.ts` runs, bundled: a new password for people who have an account, and for those who do not, by the endpoint and on the pages.

const redirectUri = "https://app.example/callback";
const connection = "Username-Password-Authentication";
const manage = await setUp({ name: "App", app_type: "regular_web", callbacks: [redirectUri] });
const address = (known: boolean, door: number, i: number): string => `${known ? "known" : "other"}-${door}-${i}@example.com`;

const authorize = { client_id: "app", redirect_uri: redirectUri, response_type: "code", scope: "openid", state: "s" };
const doors: readonly Door[] = [
  {
    name: "/dbconnections/change_password",
    says: /If an account exists/,
    prepare: async (email) => () => post("dbconnections/change_password", { client_id: "app", connection, email }),
  },
  {
    name: "reset page",
    says: /"purpose":"reset-password"/,
    async prepare(email) {
      const begun = await send(`authorize?${new URLSearchParams(authorize)}`);
      const state = new URL(begun.headers.get("location") ?? "", issuer).searchParams.get("state") ?? "";
      const cookie = begun.headers
        .getSetCookie()
        .map((each) => each.split(";", 1).join())
        .join("; ");
      const shown = await send(`u/flow?${new URLSearchParams({ state })}`, { headers: { cookie } });
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

for (const door of doors.keys()) {
  for (let i = 0; i < samples; i++) await manage("users", { connection, email: address(true, door, i), email_verified: true });
}
await compare(doors, address);
