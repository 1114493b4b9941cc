import { describeDocument, type Description } from "../../packages/testing/src/isolation/document.ts";
import { object } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

const service = await createTestPostern();

/** Both OpenAPI documents. They are read when tests are collected, so that each operation gets a separate test. */
export const descriptions: { readonly [api in "management" | "auth"]: Description } = {
  management: describeDocument(object(await service.call("GET", "/api/v2/spec"))),
  auth: describeDocument(object(await service.call("GET", "/.well-known/openapi.json"))),
};
