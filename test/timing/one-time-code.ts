import { compare, post, samples, setUp } from "./with-and-without.ts";

// A program that `timing.ts` runs. It measures requests for codes with and without an account, in a connection without
// sign-up.

const grantType = "http://auth0.com/oauth/grant-type/passwordless/otp";
const manage = await setUp({ name: "App", app_type: "native", grant_types: [grantType] });
await manage("connections", { name: "email", strategy: "email", options: { disable_signup: true } });
const address = (known: boolean, i: number): string => `${known ? "known" : "other"}-${i}@example.com`;
for (let i = 0; i < samples; i++) await manage("users", { connection: "email", email: address(true, i), email_verified: true });

const recipient = { client_id: "app", connection: "email" };
await compare(
  [
    {
      name: "/passwordless/start",
      expected: /"email_verified":false/,
      prepare: async (email) => () => post("passwordless/start", { ...recipient, email, send: "code" }),
    },
    {
      name: "one-time-code grant",
      expected: /invalid_grant/,
      prepare: async (username) => () =>
        post("oauth/token", { grant_type: grantType, client_id: "app", realm: "email", username, otp: "no code" }),
    },
  ],
  (known, _, i) => address(known, i),
);
