/**
 * Loads `@peculiar/x509`. The library is large, and only creating a certificate and reading its validity need it: call this on first use.
 * The library requires a polyfill of `Reflect` metadata when it is evaluated. A polyfill of the host application is used as it is.
 */
export async function loadX509(): Promise<typeof import("@peculiar/x509")> {
  // Two dynamic imports, because bundlers may evaluate a CommonJS module after the ES modules that are imported beside it.
  if (!("getMetadata" in Reflect)) await import("reflect-metadata");
  return import("@peculiar/x509");
}
