/** A client that has a secret. */
export interface ConfidentialClient {
  readonly clientId: string;
  readonly secret: string;
}

const secret = "a-secret-that-is-long-enough-for-tests";

/** The app of a code flow. Nothing answers at its addresses: what it is sent stands in the redirect. */
export const app = {
  clientId: "web",
  secret,
  settings: {
    name: "Web",
    app_type: "regular_web" as const,
    callbacks: ["https://app.example.test/callback"],
    allowed_logout_urls: ["https://app.example.test/bye"],
  },
};

/** A client that manages the tenant. */
export const manager: ConfidentialClient = { clientId: "main-manager", secret };

/** Who signs in. */
export const testUser = { email: "ann@example.com", password: "correct-horse-battery" };
