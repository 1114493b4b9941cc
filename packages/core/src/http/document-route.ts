import * as z from "zod";
import type { ApiName } from "./api.ts";
import { createDocuments } from "./document.ts";
import { defineRoutes, type Contexts, type Route } from "./route.ts";
import type { Urls } from "./urls.ts";

const openApiDocumentSchema = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }), paths: z.looseObject({}) })
  .meta({ id: "OpenApiDocument" });

const documents = {
  management: { path: "/api/v2/spec", summary: "Get the OpenAPI document of the Management API" },
  auth: { path: "/.well-known/openapi.json", summary: "Get the OpenAPI document of the Auth API" },
  "my-account": { path: "/me/v1/openapi.json", summary: "Get the OpenAPI document of the My Account API" },
} as const;

const route = defineRoutes<Contexts>();

/**
 * Creates the route that returns the OpenAPI document of an API. The document describes this route, too. The code that
 * builds the document is loaded on the first request for it.
 */
export function documentRoute(api: ApiName, routes: readonly Route[], urls: Urls): Route {
  const cache = createDocuments();
  const own = route({
    method: "GET",
    ...documents[api],
    scopes: "public",
    cors: "any",
    responses: { 200: openApiDocumentSchema },
  })(async () =>
    cache.get(api, async () => {
      const { describeApi } = await import("./openapi.ts");
      return describeApi(api, [...routes, own], urls);
    }),
  );
  return own;
}
