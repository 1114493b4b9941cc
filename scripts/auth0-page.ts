import { readFileSync } from "node:fs";
import { describeApi } from "../packages/core/src/http/openapi.ts";
import { createUrls } from "../packages/core/src/http/urls.ts";
import type { Route } from "../packages/core/src/http/route.ts";
import { emptyLists } from "../packages/core/src/management/empty-lists.ts";
import { unservedPaths } from "../packages/core/src/management/unserved-paths.ts";
import { auth0Notes } from "./auth0-notes.ts";

/** An endpoint of Auth0's Management API: a line of `auth0-endpoints.tsv`. */
interface Auth0Endpoint {
  readonly section: string;
  /** `GET /users/{id}`. */
  readonly title: string;
  /** The endpoint accepts a token with any one of these scopes. */
  readonly scopes: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** The documented or observed success statuses. */
  readonly status: readonly string[];
  readonly reply: readonly string[];
}

/** A JSON object in the OpenAPI document. */
interface Json {
  readonly [name: string]: unknown;
}

/** The names of the parameters and members of a Postern operation. */
interface PosternOperation {
  readonly scopes: readonly string[];
  /** The scopes that are each sufficient without a second scope. */
  readonly sufficientScopes: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  readonly status: readonly string[];
  readonly reply: readonly string[];
}

const introduction = `This page compares each endpoint of Auth0's Management API v2 with Postern. Paths are below \`/api/v2\`. [The last
table](#authentication-api) has differences of the Authentication API.

- **same**: Postern accepts the same parameters, responds with the same status, and its response has every member of Auth0's.
- **differs**: Postern serves the endpoint, and the last column describes the differences.
- **missing**: Postern does not serve the endpoint. With a valid token, it responds with 404 \`not_found\`, or with 405 if the path
  supports other methods. Some endpoints that Auth0's Deploy CLI reads by default respond with 403 \`insufficient_scope\` instead,
  because the Deploy CLI continues after this error: see [decision 27](../decisions/0027-auth0s-deploy-cli-runs-unmodified.md).

The table does not repeat these general differences:

- Names of path parameters are not compared. Responses may have additional members.
- An error has Auth0's \`statusCode\`, \`message\` and \`errorCode\`. Its \`error\` is a code such as \`not_found\` instead of the text of the
  status, and it also has \`error_description\`.
- The default page size is 10 items, and a \`per_page\` above 100 is rejected. Every list accepts the parameters of offset, totals and
  checkpoint paging. Lists that Auth0 never pages have every item on the first page; all others support the three kinds, and envelopes
  contain \`start\`, \`limit\`, \`length\` and \`total\`.
- \`sort\` accepts \`field:1\`, \`field:-1\`, \`field:asc\` and \`field:desc\`. The error for an invalid value names the supported fields.
- \`q\` has Auth0's syntax. Each list documents the supported fields. There is no limit of a thousand results.
- Unknown query parameters and body members are rejected with 400.
- Deleting an item that does not exist is a success, so that a request can be repeated.
- There are no entitlements, and no rate limits except those of the host.
- Settings of unsupported features are stored and returned, and have no effect.

The data about Auth0 is in \`scripts/auth0-endpoints.tsv\` (middle of 2026). The data about Postern is in the OpenAPI document. Further
differences are in \`scripts/auth0-notes.ts\`.`;

const authenticationApi = `## Authentication API

The paths are below the issuer.

| endpoint | differences |
|---|---|
| \`POST /oauth/token\` | a wrong password is 403 \`INVALID_CREDENTIALS\` instead of \`invalid_grant\`, with Auth0's description |
| \`GET /userinfo\` | \`updated_at\` is a number (OpenID Connect Core section 5.1), and a string in Auth0; a token in the query is refused |
| \`POST /oauth/par\` | the same. Public clients with PKCE can push, too, and \`ext-*\` parameters are ignored |`;

/**
 * Returns the page that compares Auth0's endpoints with Postern's.
 * @throws if a note names an endpoint that Auth0 does not have or Postern does not serve.
 */
export function auth0Page(routes: readonly Route[]): string {
  const served = posternOperations(routes);
  const endpoints = readEndpoints();
  for (const title of Object.keys(auth0Notes)) {
    if (!endpoints.some((endpoint) => endpoint.title === title)) throw new Error(`auth0-notes.ts: Auth0 has no endpoint ${title}`);
    if (!served.has(placeholderPath(title))) throw new Error(`auth0-notes.ts: Postern does not serve ${title}`);
  }
  const rows = endpoints.map((endpoint) => ({ endpoint, ...compare(endpoint, served.get(placeholderPath(endpoint.title))) }));
  const count = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length;
  return `${[
    "<!-- Generated by `npx pnpm@12 reference`: do not edit. -->",
    "# Auth0's endpoints",
    introduction,
    `Of ${rows.length} endpoints, ${count("same")} are the same, ${count("differs")} differ, and ${count("missing")} are missing.`,
    ...[...Map.groupBy(rows, ({ endpoint }) => endpoint.section)].map(([section, group]) =>
      [
        `## ${section}`,
        "",
        "| endpoint | in Postern | differences |",
        "|---|---|---|",
        ...group.map(({ endpoint, verdict, how }) => `| \`${endpoint.title}\` | ${verdict} | ${how} |`),
      ].join("\n"),
    ),
    authenticationApi,
  ].join("\n\n")}\n`;
}

/** The lists that are always empty, by {@link placeholderPath}. */
const emptyTitles = new Set(
  emptyLists.map(({ definition: { method, path } }) => `${method} ${path.replace("/api/v2", "").replaceAll(/:\w+/g, "{}")}`),
);

function compare(
  auth0: Auth0Endpoint,
  postern: PosternOperation | undefined,
): { readonly verdict: "same" | "differs" | "missing"; readonly how: string } {
  if (postern === undefined) {
    const [method, path] = auth0.title.split(" ");
    return { verdict: "missing", how: method === "GET" && Object.hasOwn(unservedPaths, `/api/v2${path}`) ? "responds with 403" : "" };
  }
  if (emptyTitles.has(placeholderPath(auth0.title))) return { verdict: "differs", how: "the list is always empty" };
  const missingIn = (names: readonly string[], known: readonly string[]): readonly string[] =>
    // An ellipsis in the list means that not all names in Auth0's endpoint are known.
    names.filter((name) => name !== "…" && !known.includes(name));
  const [status = ""] = postern.status;
  const differences = [
    phrase("without the scope", missingIn(auth0.scopes, postern.scopes)),
    phrase("also accepts the scope", auth0.scopes.length === 0 ? [] : missingIn(postern.sufficientScopes, auth0.scopes)),
    phrase("query without", missingIn(auth0.query, postern.query)),
    phrase("body without", missingIn(auth0.body, postern.body)),
    phrase("body also accepts", missingIn(postern.body, auth0.body)),
    auth0.status.length === 0 || auth0.status.includes(status) ? "" : `responds with ${status}, Auth0 with ${auth0.status.join(" or ")}`,
    phrase("response without", missingIn(auth0.reply, postern.reply)),
    auth0Notes[auth0.title] ?? "",
  ].filter((difference) => difference !== "");
  return differences.length === 0 ? { verdict: "same", how: "" } : { verdict: "differs", how: differences.join("; ") };
}

function phrase(words: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${words} ${names.map((name) => `\`${name}\``).join(", ")}`;
}

/** Returns a method and a path without the names of its parameters. */
function placeholderPath(title: string): string {
  return title.replaceAll(/\{\w+\}/g, "{}");
}

/** Reads the list of Auth0's endpoints. */
export function readEndpoints(): readonly Auth0Endpoint[] {
  const [, ...lines] = readFileSync(new URL("auth0-endpoints.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => {
    const [section = "", method = "", path = "", ...lists] = line.split("\t");
    const [scopes = [], query = [], body = [], status = [], reply = []] = lists.map((list) =>
      list.split(" ").filter((name) => name !== ""),
    );
    return { section, title: `${method} ${path}`, scopes, query, body, status, reply };
  });
}

/** Returns Postern's operations by {@link placeholderPath}, from the OpenAPI document. */
function posternOperations(routes: readonly Route[]): ReadonlyMap<string, PosternOperation> {
  // URLs are not compared, so the issuer does not matter.
  const document = members(describeApi("management", routes, createUrls("https://id.example.com/")));
  const operations = new Map<string, PosternOperation>();
  for (const [path, item] of Object.entries(members(document["paths"]))) {
    for (const [method, operation] of Object.entries(members(item))) {
      operations.set(
        placeholderPath(`${method.toUpperCase()} ${path.replace("/api/v2", "")}`),
        readOperation(document, members(operation)),
      );
    }
  }
  return operations;
}

function readOperation(document: Json, operation: Json): PosternOperation {
  const responses = Object.entries(members(operation["responses"])).filter(([status]) => status.startsWith("2"));
  const contentOf = (holder: unknown): unknown => members(members(members(holder)["content"])["application/json"])["schema"];
  const alternatives = listOf(operation["security"]).map((one) => listOf(members(one)["bearer"]).map(String));
  return {
    scopes: alternatives.flat(),
    sufficientScopes: alternatives.filter(({ length }) => length === 1).flat(),
    query: listOf(operation["parameters"])
      .map(members)
      .filter((parameter) => parameter["in"] === "query")
      .map(({ name }) => String(name)),
    body: namesOf(document, contentOf(operation["requestBody"])),
    status: responses.map(([status]) => status),
    reply: responses.flatMap(([, response]) => namesOf(document, contentOf(response))),
  };
}

/**
 * Returns the names of an object's members. Includes the members of all alternatives and of list items, with or without
 * an envelope.
 */
function namesOf(document: Json, schema: unknown): readonly string[] {
  const { $ref, properties, items, anyOf, oneOf } = members(schema);
  if (typeof $ref === "string") {
    return namesOf(
      document,
      $ref
        .replace("#/", "")
        .split("/")
        .reduce((found, name) => members(members(found)[name]), document),
    );
  }
  const branches = [...listOf(anyOf), ...listOf(oneOf), ...(items === undefined ? [] : [items])];
  return [...Object.keys(members(properties)), ...branches.flatMap((branch) => namesOf(document, branch))];
}

function members(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
