import { describeDocument, type Description } from "../../packages/testing/src/isolation/document.ts";
import { jsonBody } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

const service = await createTestPostern();

/** Both OpenAPI documents. They are read when tests are collected, so that each operation gets a separate test. */
export const apiDescriptions: { readonly [api in "management" | "auth"]: Description } = {
  management: describeDocument(jsonBody(await service.call("GET", "/api/v2/spec"))),
  auth: describeDocument(jsonBody(await service.call("GET", "/.well-known/openapi.json"))),
};
