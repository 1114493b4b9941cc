import type { PasswordHasher, Seed } from "@postern/core";
import type { CreateClient } from "@postern/core/api";

/** What the processes serve and their clients use. */
export const issuer = "http://id.example.test/";
export const callback = "http://app.example.test/callback";
export const signedOut = "http://app.example.test/signed-out";
export const user = "ann@example.com";
export const password = "correct-horse-battery";

/** A machine that manages the tenant. */
export const manager = { clientId: "manager", secret: "a-secret-that-is-long-enough-for-tests" };

/** Longer than the leeway of the client `app`: milliseconds. */
export const beyondLeeway = 31_000;

const app: Omit<CreateClient, "name"> = {
  app_type: "spa",
  callbacks: [callback],
  allowed_logout_urls: [signedOut],
  grant_types: ["authorization_code", "refresh_token", "password", "http://vendor/oauth/grant-type/passwordless/otp"],
};

/** Where the app's own page asks for passwords. */
export const appOrigin = new URL(callback).origin;

/** A tenant with one person, a machine that manages it, and two public clients: one that forgives lost answers, as all do unless told otherwise, and one that does not. */
export const seed: Seed = {
  tenantId: "main",
  clients: [
    { ...manager, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true },
    { clientId: "app", settings: { ...app, name: "App", cross_origin_authentication: true, allowed_origins: [appOrigin] } },
    {
      clientId: "unforgiving",
      settings: {
        ...app,
        name: "Unforgiving",
        refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 0, recovery_window: 0 },
      },
    },
  ],
  user: { email: user, password },
};

/** Costs nothing: what passwords cost is not what these tests are about. */
export const hasher: PasswordHasher = {
  accepts: () => true,
  hash: async (text) => `plain:${text}`,
  verify: async (text, stored) => (stored === `plain:${text}` ? "match" : "no-match"),
  verifyNothing: async () => {},
};
