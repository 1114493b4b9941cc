import { expect } from "vitest";
import type { ApiResponse, TestPostern } from "./postern.ts";

/** A JSON object whose members a test reads. */
export interface JsonBody {
  readonly [name: string]: unknown;
}

/** Calls the Management API with a token for a client that manages a tenant. */
export interface Manager {
  (method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }): Promise<ApiResponse>;
  /** Creates a resource and returns it. */
  create(path: string, body: unknown): Promise<JsonBody>;
}

/** Returns a {@link Manager} for a tenant. */
export async function managerOf(service: TestPostern, tenantId: "main" | "other" = "main"): Promise<Manager> {
  const token = await service.token(tenantId);
  const call = async (method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }): Promise<ApiResponse> =>
    service.call(method, path, { token, ...(body !== undefined && { body }), ...(headers && { headers }) });
  return Object.assign(call, { create: async (path: string, body: unknown) => jsonBody(await call("POST", path, body), 201) });
}

/** Returns the JSON object in a response, which must have this status. */
export function jsonBody(response: ApiResponse, status = 200): JsonBody {
  expect({ status: response.status, body: response.body }).toMatchObject({ status, body: expect.any(Object) });
  if (!isObject(response.body)) throw new Error("the response is not a JSON object");
  return response.body;
}

/** Returns the JSON list in a response: a bare array, or the member `key` of an envelope. */
export function list(response: ApiResponse, key?: string): readonly JsonBody[] {
  expect(response).toMatchObject({ status: 200 });
  const value = key === undefined ? response.body : jsonBody(response)[key];
  if (!Array.isArray(value) || !value.every(isObject)) throw new Error(`no list: ${JSON.stringify(response.body)}`);
  return value;
}

/** Returns a member, which must be a string. */
export function stringMember(body: JsonBody, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Error(`'${name}' is not text in ${JSON.stringify(body)}`);
  return value;
}

/**
 * Expects an error in the flat form (`error` and `error_description`). An error from the
 * Management API also has the members that Auth0's SDKs read.
 * @param expectedText text or pattern that the error description must contain, usually the name of the invalid field.
 */
export function expectError(response: ApiResponse, status: number, error: string, expectedText: string | RegExp = ""): JsonBody {
  const body = jsonBody(response, status);
  expect(body).toMatchObject({ error, error_description: expectedText === "" ? expect.any(String) : expect.stringMatching(expectedText) });
  expect(stringMember(body, "error_description")).not.toBe("");
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  if ("statusCode" in body)
    expect(body).toMatchObject({ statusCode: status, message: body["error_description"], errorCode: expect.any(String) });
  else expect(Object.keys(body)).toEqual(["error", "error_description"]);
  return body;
}

/** Fetches all pages of a list with cursors. @returns every item, in order. */
export async function listAllPages(manage: Manager, path: string, key: string, take: number): Promise<readonly JsonBody[]> {
  const found: JsonBody[] = [];
  let next: unknown;
  for (let pages = 0; pages < 100; pages++) {
    const from = next === undefined ? "" : `&from=${encodeURIComponent(String(next))}`;
    const page = jsonBody(await manage("GET", `${path}${path.includes("?") ? "&" : "?"}take=${take}${from}`));
    const items = page[key];
    if (!Array.isArray(items)) throw new Error(`no '${key}' in ${JSON.stringify(page)}`);
    expect(items.length).toBeLessThanOrEqual(take);
    found.push(...items.filter(isObject));
    next = page["next"];
    if (next === undefined) return found;
  }
  throw new Error("the list does not end");
}

/** Returns the audit events of a type, newest first. */
export async function auditEvents(manage: Manager, type: string): Promise<readonly JsonBody[]> {
  return list(await manage("GET", `/api/v2/logs?per_page=100&q=type:${type}`));
}

function isObject(value: unknown): value is JsonBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
