import { compare, post, samples, setUp } from "./with-and-without.ts";

// What `timing.ts` runs, bundled: codes for people who have an account, and for those who do not where nobody may sign up.

const grantType = "http://auth0.com/oauth/grant-type/passwordless/otp";
const manage = await setUp({ name: "App", app_type: "native", grant_types: [grantType] });
await manage("connections", { name: "email", strategy: "email", options: { disable_signup: true } });
const address = (known: boolean, i: number): string => `${known ? "known" : "other"}-${i}@example.com`;
for (let i = 0; i < samples; i++) await manage("users", { connection: "email", email: address(true, i), email_verified: true });

const place = { client_id: "app", connection: "email" };
await compare(
  [
    {
      name: "/passwordless/start",
      says: /"email_verified":false/,
      prepare: async (email) => () => post("passwordless/start", { ...place, email, send: "code" }),
    },
    {
      name: "one-time-code grant",
      says: /invalid_grant/,
      prepare: async (username) => () =>
        post("oauth/token", { grant_type: grantType, client_id: "app", realm: "email", username, otp: "no code" }),
    },
  ],
  (known, _, i) => address(known, i),
);
