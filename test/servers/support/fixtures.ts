import type { PasswordHasher, Seed } from "@postern/core";
import type { CreateClient } from "@postern/core/api";

/** Values that the server processes and their clients share. The issuer has https, because passkeys require it. */
export const serverIssuer = "https://id.example.test/";
export const appCallback = "https://app.example.test/callback";
export const signedOut = "https://app.example.test/signed-out";
export const user = "ann@example.com";
export const password = "correct-horse-battery";

/** A machine client that may call the Management API. */
export const managerClient = { clientId: "manager", secret: "a-secret-that-is-long-enough-for-tests" };

/** Longer than the rotation leeway of the client `app`, in milliseconds. */
export const beyondLeeway = 31_000;

const app: Omit<CreateClient, "name"> = {
  app_type: "spa",
  callbacks: [appCallback],
  allowed_logout_urls: [signedOut],
  grant_types: [
    "authorization_code",
    "refresh_token",
    "password",
    "http://auth0.com/oauth/grant-type/passwordless/otp",
    "http://auth0.com/oauth/grant-type/mfa-otp",
    "http://auth0.com/oauth/grant-type/mfa-oob",
    "http://auth0.com/oauth/grant-type/mfa-recovery-code",
    "urn:okta:params:oauth:grant-type:webauthn",
  ],
};

/** The origin of the app's own login page. */
export const appOrigin = new URL(appCallback).origin;

/**
 * A tenant with one user, a Management API client and two public clients. `app` has the default leeway and recovery
 * window for lost responses. `unforgiving` has neither.
 */
export const serverSeed: Seed = {
  tenantId: "main",
  clients: [
    { ...managerClient, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true },
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

/** A password hasher without cost, because these tests do not measure hashing. */
export const hasher: PasswordHasher = {
  accepts: () => true,
  hash: async (text) => `plain:${text}`,
  verify: async (text, stored) => (stored === `plain:${text}` ? "match" : "no-match"),
  verifyDummy: async () => {},
};
