import { loadX509 } from "../../tokens/keys/x509.ts";

/** The modules of the WebAuthn library. */
export interface Library {
  readonly server: typeof import("@simplewebauthn/server");
  readonly helpers: typeof import("@simplewebauthn/server/helpers");
}

let library: Promise<Library> | undefined;

/**
 * Loads `@simplewebauthn/server`. The library is large and is needed only to verify a response: call this on first use.
 */
export async function loadWebauthn(): Promise<Library> {
  library ??= load();
  try {
    return await library;
  } catch (failure) {
    library = undefined;
    throw failure;
  }
}

async function load(): Promise<Library> {
  // The library imports `reflect-metadata` and then `@peculiar/x509`. `loadX509` loads them in an order that works in
  // bundles, and with a polyfill of the host application.
  await loadX509();
  // If the host application has another polyfill, the library's import replaces the functions of that polyfill.
  const metadata = Object.getOwnPropertyDescriptors(Reflect);
  try {
    const server = await import("@simplewebauthn/server");
    return { server, helpers: await import("@simplewebauthn/server/helpers") };
  } finally {
    Object.defineProperties(Reflect, metadata);
  }
}
