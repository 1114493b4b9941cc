import { managementScopes } from "../model/scopes.ts";
import type { ApiName } from "./api.ts";
import { errorSchema } from "./error-body.ts";
import { standardErrors, standardErrorText } from "./openapi-errors.ts";
import {
  describeOperation,
  jsonResponse,
  responseReference,
  schemasOf,
  tagOf,
  templateOf,
  type OpenApiOperation,
} from "./openapi-operation.ts";
import { describeSchemas } from "./openapi-schema.ts";
import type { Route } from "./route.ts";
import type { Urls } from "./urls.ts";

const info = {
  management: {
    title: "Postern Management API",
    version: "2.0",
    description:
      "Manages the users, clients, connections and settings of a tenant. The security of each operation lists alternatives, one of which is sufficient. " +
      "The description of the operation says which requests need an alternative with a second scope.",
  },
  auth: {
    title: "Postern Auth API",
    version: "1.0",
    description: "OAuth 2.0 and OpenID Connect. Errors are flat JSON, except for pages in the browser.",
  },
  "my-account": {
    title: "Postern My Account API",
    version: "1.0",
    description: "Lets users see and change their own account with an access token. Errors have the form of RFC 9457.",
  },
} as const;

/**
 * Returns the OpenAPI 3.1 document that describes an API's routes.
 * @throws if two operations, or two different schemas, have the same id.
 */
export function describeApi(api: ApiName, routes: readonly Route[], urls: Urls): object {
  const errors = errorSchema(api);
  const schemas = describeSchemas([errors, ...routes.flatMap(schemasOf)]);
  const operations = routes.map((each) => ({ route: each, operation: describeOperation(each, schemas, api) }));
  checkIds(operations.map(({ operation }) => operation));

  const referred = new Set(operations.flatMap(({ operation }) => Object.values(operation.responses).map(({ $ref }) => $ref)));
  const paths: { [path: string]: { [method: string]: OpenApiOperation } } = {};
  for (const { route: each, operation } of operations) {
    const path = templateOf(each.definition.path);
    paths[path] = { ...paths[path], [each.definition.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.1",
    info: { ...info[api], license: { name: "MIT", identifier: "MIT" } },
    // The issuer's final slash is removed, because each path starts with one.
    servers: [{ url: urls.issuer.replace(/\/$/, "") }],
    tags: [...new Set(routes.map((each) => tagOf(each.definition.path)))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      responses: Object.fromEntries(
        Object.entries(standardErrors)
          .filter(([name]) => referred.has(responseReference(name)))
          .map(([name, error]) => [name, jsonResponse(standardErrorText(error), schemas.of(errors))]),
      ),
      ...(api === "management" && { parameters: { TenantId: tenantId } }),
      securitySchemes: securitySchemesOf(api, urls),
    },
  };
}

function checkIds(operations: readonly OpenApiOperation[]): void {
  const seen = new Set<string>();
  for (const { operationId } of operations) {
    if (seen.has(operationId)) throw new Error(`two operations have the id '${operationId}'`);
    seen.add(operationId);
  }
}

const tenantId = {
  name: "tenant-id",
  in: "header",
  description: "The id of the tenant. Only needed if neither the host nor the token determines the tenant",
  schema: { type: "string" },
};

function securitySchemesOf(api: ApiName, urls: Urls): object {
  switch (api) {
    case "management":
      return managementSecurity(urls);
    case "auth":
      return authSecurity;
    case "my-account":
      return {
        bearer: { type: "http", scheme: "bearer", description: `An access token of a user for the audience \`${urls.urlFor("/me/")}\`` },
      };
  }
}

function managementSecurity(urls: Urls): object {
  const scopes = Object.fromEntries(managementScopes.map(({ value, description }) => [value, description]));
  return {
    bearer: {
      type: "oauth2",
      description: `An access token for the audience \`${urls.urlFor("/api/v2/")}\``,
      flows: { clientCredentials: { tokenUrl: urls.urlFor("/oauth/token"), scopes } },
    },
  };
}

const authSecurity = {
  bearer: { type: "http", scheme: "bearer", description: "An access token of a user" },
  mfaToken: {
    type: "http",
    scheme: "bearer",
    description: "The `mfa_token` of the error `mfa_required`, or an access token for `<issuer>mfa/`",
  },
  clientBasic: {
    type: "http",
    scheme: "basic",
    description: "`client_id` and `client_secret`, each form-encoded (RFC 6749 section 2.3.1)",
  },
};
