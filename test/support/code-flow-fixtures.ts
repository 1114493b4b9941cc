/** A client that has a secret. */
export interface ConfidentialClient {
  readonly clientId: string;
  readonly secret: string;
}

const secret = "a-secret-that-is-long-enough-for-tests";

/**
 * The client in a code flow. No server listens at its URLs, because the test reads the parameters from the redirect.
 */
export const webClient = {
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
export const mainManager: ConfidentialClient = { clientId: "main-manager", secret };

/** The user who signs in. */
export const testUser = { email: "ann@example.com", password: "correct-horse-battery" };
