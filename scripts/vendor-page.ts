import { readFileSync } from "node:fs";
import { describeApi } from "../packages/core/src/http/openapi.ts";
import { createUrls } from "../packages/core/src/http/urls.ts";
import type { Route } from "../packages/core/src/http/route.ts";
import { unserved } from "../packages/core/src/management/unserved.ts";
import { vendorNotes } from "./vendor-notes.ts";

/** What is known of an endpoint of the vendor's Management API: a line of `vendor-endpoints.tsv`. */
export interface VendorEndpoint {
  readonly section: string;
  /** `GET /users/{id}`. */
  readonly title: string;
  /** Any one of these lets a token in. */
  readonly scopes: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** The successes that were described or seen. */
  readonly status: readonly string[];
  readonly reply: readonly string[];
}

/** A JSON object of the OpenAPI document. */
interface Json {
  readonly [name: string]: unknown;
}

/** What an operation of ours takes and answers, by name. */
interface Own {
  readonly scopes: readonly string[];
  /** Scopes that let a token in without a second scope. */
  readonly sufficientScopes: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  readonly status: readonly string[];
  readonly reply: readonly string[];
}

const introduction = `How each endpoint of the vendor's Management API v2 is answered here. Paths are below \`/api/v2\`.

- **same**: it takes what the vendor's takes, answers with the same status, and its reply has every member that the vendor's has.
- **differs**: it is served, and the last column says how it differs.
- **missing**: it is not served, and answers 404 \`not_found\`, or 405 where its path takes other methods: to a token of the API alone, as everywhere.
  What the vendor's deploy command line reads unasked answers 403 \`insufficient_scope\` instead, which it goes on after: see [decision 27](../decisions/0027-auth0s-deploy-cli-runs-unmodified.md).

What holds everywhere is not repeated in the table:

- Names of path parameters are not compared; replies may have members that the vendor's have not.
- An error has the vendor's \`statusCode\`, \`message\` and \`errorCode\`; its \`error\` is a code such as \`not_found\`, not the words of the status, and \`error_description\` is there as well.
- A page holds 10 items where \`per_page\` does not say otherwise, and a \`per_page\` above 100 is refused. Every list takes offset, totals and checkpoint paging, and envelopes carry \`start\`, \`limit\`, \`length\` and \`total\`.
- \`sort\` is understood as \`field:1\`, \`field:-1\`, \`field:asc\` and \`field:desc\`, over the fields that a refusal names. \`q\` is the vendor's syntax over the fields that a list names; there is no limit of a thousand results.
- Query parameters and members of bodies that are not known are refused with 400.
- Deleting what is not there is a success, so that a call may be repeated.
- There is no entitlement, and no rate limit but what the host adds.
- Settings of features that are not built are kept and returned, and do nothing.

The vendor's side comes from \`scripts/vendor-endpoints.tsv\` (middle of 2026), ours from the OpenAPI document, and what neither says from \`scripts/vendor-notes.ts\`.`;

/** The page that compares the vendor's endpoints with ours. @throws where a note names an endpoint that the vendor has not, or that is not served. */
export function vendorPage(routes: readonly Route[]): string {
  const served = ownOperations(routes);
  const endpoints = readEndpoints();
  for (const title of Object.keys(vendorNotes)) {
    if (!endpoints.some((endpoint) => endpoint.title === title)) throw new Error(`vendor-notes.ts: the vendor has no ${title}`);
    if (!served.has(placeOf(title))) throw new Error(`vendor-notes.ts: ${title} is not served`);
  }
  const rows = endpoints.map((endpoint) => ({ endpoint, ...compare(endpoint, served.get(placeOf(endpoint.title))) }));
  const count = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length;
  return `${[
    "<!-- Made by `npx pnpm@12 reference`: do not edit. -->",
    "# The vendor's endpoints",
    introduction,
    `Of ${rows.length} endpoints ${count("same")} are the same, ${count("differs")} differ, and ${count("missing")} are missing.`,
    ...[...Map.groupBy(rows, ({ endpoint }) => endpoint.section)].map(([section, group]) =>
      [
        `## ${section}`,
        "",
        "| endpoint | here | how it differs |",
        "|---|---|---|",
        ...group.map(({ endpoint, verdict, how }) => `| \`${endpoint.title}\` | ${verdict} | ${how} |`),
      ].join("\n"),
    ),
  ].join("\n\n")}\n`;
}

function compare(vendor: VendorEndpoint, own: Own | undefined): { readonly verdict: "same" | "differs" | "missing"; readonly how: string } {
  if (own === undefined) {
    const [method, path] = vendor.title.split(" ");
    return { verdict: "missing", how: method === "GET" && Object.hasOwn(unserved, `/api/v2${path}`) ? "answers 403" : "" };
  }
  const lacking = (names: readonly string[], known: readonly string[]): readonly string[] =>
    // An ellipsis stands where the vendor's names are not all known.
    names.filter((name) => name !== "…" && !known.includes(name));
  const [status = ""] = own.status;
  const differences = [
    phrase("does not know the scope", lacking(vendor.scopes, own.scopes)),
    phrase("also lets in with the scope", vendor.scopes.length === 0 ? [] : lacking(own.sufficientScopes, vendor.scopes)),
    phrase("query without", lacking(vendor.query, own.query)),
    phrase("body without", lacking(vendor.body, own.body)),
    phrase("body also takes", lacking(own.body, vendor.body)),
    vendor.status.length === 0 || vendor.status.includes(status) ? "" : `answers ${status}, the vendor ${vendor.status.join(" or ")}`,
    phrase("reply without", lacking(vendor.reply, own.reply)),
    vendorNotes[vendor.title] ?? "",
  ].filter((difference) => difference !== "");
  return differences.length === 0 ? { verdict: "same", how: "" } : { verdict: "differs", how: differences.join("; ") };
}

function phrase(words: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${words} ${names.map((name) => `\`${name}\``).join(", ")}`;
}

/** A method and a path whatever its parameters are called. */
function placeOf(title: string): string {
  return title.replaceAll(/\{\w+\}/g, "{}");
}

/** Every endpoint of the vendor's that is known. */
export function readEndpoints(): readonly VendorEndpoint[] {
  const [, ...lines] = readFileSync(new URL("vendor-endpoints.tsv", import.meta.url), "utf8")
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

/** Our operations by {@link placeOf}, from the OpenAPI document. */
function ownOperations(routes: readonly Route[]): ReadonlyMap<string, Own> {
  // Addresses are not compared, so any issuer will do.
  const document = members(describeApi("management", routes, createUrls("https://id.example.com/")));
  const operations = new Map<string, Own>();
  for (const [path, item] of Object.entries(members(document["paths"]))) {
    for (const [method, operation] of Object.entries(members(item))) {
      operations.set(placeOf(`${method.toUpperCase()} ${path.replace("/api/v2", "")}`), readOperation(document, members(operation)));
    }
  }
  return operations;
}

function readOperation(document: Json, operation: Json): Own {
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

/** The names of an object's members, of all alternatives, and of the items of a list: also of one in an envelope. */
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
