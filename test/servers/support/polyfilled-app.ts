/**
 * A host application with its own polyfill of `Reflect` metadata, which issues signing keys with their certificates and
 * loads the WebAuthn library. It responds with a {@link PolyfillReport}. Runs on any runtime that serves the `fetch` of
 * a default export.
 */
import { createPostern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { loadWebauthn } from "../../../packages/core/src/identity/webauthn/library.ts";
import { readCertificate } from "../../../packages/core/src/tokens/keys/certificate-facts.ts";
import { installOwnPolyfill } from "./own-polyfill.ts";

/** The app's port, its polyfill and when it installs the polyfill. The bundler replaces these names. */
declare const PORT: number;
declare const POLYFILL: "none" | "own" | "reflect-metadata 0.1";
declare const INSTALLED: "before the first certificate" | "after the first certificate";

/** The state of the polyfill and the certificates that the app created. */
export interface PolyfillReport {
  /** `true` if `Reflect` had metadata functions when only the entry of core was loaded. */
  readonly polyfilledByEntry: boolean;
  /** `true` if the functions of `Reflect` were the same before the last certificate and after the WebAuthn library. */
  readonly keepsFunctions: boolean;
  /** `true` if the WebAuthn library was loaded. */
  readonly hasWebauthn: boolean;
  /** Metadata of a class of the host application, read at the end. */
  readonly role: unknown;
  /** When the certificates expire, in milliseconds since 1970. */
  readonly expiries: readonly number[];
}

const names = ["defineMetadata", "getMetadata", "getOwnMetadata", "hasMetadata", "metadata"] as const;

class HostService {}

async function installPolyfill(): Promise<void> {
  if (POLYFILL === "own") installOwnPolyfill();
  if (POLYFILL === "reflect-metadata 0.1") await import("reflect-metadata-0.1");
  if (POLYFILL !== "none") Reflect.defineMetadata("role", "admin", HostService);
}

async function report(): Promise<PolyfillReport> {
  const polyfilledByEntry = "getMetadata" in Reflect;
  const expiries: number[] = [];
  if (INSTALLED === "after the first certificate") expiries.push(await expiryOfNewKey());
  await installPolyfill();
  const functions = names.map((name) => Reflect[name]);
  expiries.push(await expiryOfNewKey());
  const { server } = await loadWebauthn();
  return {
    polyfilledByEntry,
    hasWebauthn: typeof server.verifyRegistrationResponse === "function",
    keepsFunctions: names.every((name, index) => Reflect[name] === functions[index]),
    role: Reflect.getMetadata("role", HostService),
    expiries,
  };
}

/** Creates a tenant with its signing key, and reads the certificate of the key. */
async function expiryOfNewKey(): Promise<number> {
  const issuer = "https://id.example.test/";
  const postern = createPostern({
    issuer,
    data: createMemoryAdapter(),
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
    defaultTenantId: "main",
  });
  await postern.seed({ tenantId: "main" });
  const response = await postern.fetch(new Request(`${issuer}.well-known/jwks.json`));
  const jwks = (await response.json()) as { readonly keys: readonly { readonly x5c: readonly string[] }[] };
  const certificate = jwks.keys[0]?.x5c[0] ?? "";
  return (await readCertificate(`-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`)).expiresAt;
}

// Created at the first request, because some runtimes create no keys before one. Created once, because the polyfill is
// installed once.
let reported: Promise<PolyfillReport> | undefined;

export default {
  port: PORT,
  async fetch(): Promise<Response> {
    reported ??= report();
    return Response.json(await reported);
  },
};
