import type { HashTarget } from "../src/identity/passwords/targets.ts";

/** The parameters of password hashes with the lowest cost. Every runtime can compute them. */
export const cheapTarget = { kind: "pbkdf2", digest: "SHA-256", iterations: 1 } as const satisfies HashTarget;
