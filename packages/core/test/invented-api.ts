import * as z from "zod";
import { defineRoutes, type Contexts } from "../src/http/route.ts";
import type { Api, AuthenticateCaller } from "../src/server/api.ts";
import { invalidToken, readBearerToken } from "../src/tenants/callers/bearer-token.ts";
import { insufficientScope } from "../src/tenants/callers/check-scopes.ts";
import { resolveTenant } from "../src/tenants/resolve.ts";
import type { RequestTenant } from "../src/tenants/tenant.ts";

interface ThingContexts extends Contexts {
  readonly scopes: { readonly tenant: RequestTenant; readonly subject: string };
}

const route = defineRoutes<ThingContexts, "read:things" | "create:things">();

const thingSchema = z.strictObject({ tenant: z.string(), subject: z.string(), size: z.string() });

const readThing = route({
  method: "GET",
  path: "/things/v1/thing",
  summary: "Get the thing",
  scopes: ["read:things"],
  query: z.strictObject({ size: z.string().optional() }),
  responses: { 200: thingSchema },
})(async ({ query }, { tenant, subject }) => ({ tenant: tenant.id, subject, size: query.size ?? "default" }));

const createThing = route({
  method: "POST",
  path: "/things/v1/thing",
  summary: "Create a thing",
  scopes: ["create:things"],
  body: z.strictObject({ size: z.string() }),
  responses: { 201: thingSchema },
})(async ({ body }, { tenant, subject }) => ({ tenant: tenant.id, subject, size: body.size }));

const replaceThing = route({
  method: "PUT",
  path: "/things/v1/thing",
  summary: "Replace the thing",
  scopes: ["read:things"],
  requestsPerAddress: 2,
  body: z.strictObject({ size: z.string() }),
  responses: { 200: thingSchema },
})(async ({ body }, { tenant, subject }) => ({ tenant: tenant.id, subject, size: body.size }));

const authenticateReader: AuthenticateCaller = async (installation, address, progress, definition) => {
  if (readBearerToken(progress.request, undefined) !== "reader") throw invalidToken("not a reader");
  if (typeof definition?.scopes === "object" && !definition.scopes.includes("read:things")) {
    throw insufficientScope("readers only read", definition.scopes);
  }
  const tenant = await resolveTenant(installation, address, {}, progress.requestInfo);
  progress.tenant = tenant;
  return { tenant, subject: "reader" };
};

/** How often the routes were loaded. */
export const loads = { count: 0 };

/** The row of an API that Postern does not have, with its own scopes, errors and authentication. */
export const inventedApi: Api = {
  prefixes: ["/things/v1"],
  async load() {
    loads.count++;
    return { routes: [readThing, createThing, replaceThing] };
  },
  errorFormat: ({ code, message, status }) => ({ type: `urn:things:${code}`, title: message, status }),
  authenticate: authenticateReader,
  unknownParameters: "rejected",
};
