import { expect } from "vitest";
import type { Answer, TestPostern } from "./postern.ts";

/** A JSON object whose members a test looks at. */
export interface Json {
  readonly [name: string]: unknown;
}

/** Calls the Management API with a token of a tenant's manager. */
export interface Manager {
  (method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }): Promise<Answer>;
  /** Creates a resource and returns it. */
  create(path: string, body: unknown): Promise<Json>;
}

/** A {@link Manager} of a tenant. */
export async function managerOf(service: TestPostern, tenantId: "main" | "other" = "main"): Promise<Manager> {
  const token = await service.token(tenantId);
  const call = async (method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }): Promise<Answer> =>
    service.call(method, path, { token, ...(body !== undefined && { body }), ...(headers && { headers }) });
  return Object.assign(call, { create: async (path: string, body: unknown) => object(await call("POST", path, body), 201) });
}

/** The JSON object of an answer with this status. */
export function object(answer: Answer, status = 200): Json {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: expect.any(Object) });
  if (!isObject(answer.body)) throw new Error("the answer is no JSON object");
  return answer.body;
}

/** The JSON list of an answer: a bare array, or the member `key` of an envelope. */
export function list(answer: Answer, key?: string): readonly Json[] {
  expect(answer).toMatchObject({ status: 200 });
  const value = key === undefined ? answer.body : object(answer)[key];
  if (!Array.isArray(value) || !value.every(isObject)) throw new Error(`no list: ${JSON.stringify(answer.body)}`);
  return value;
}

/** A member that is text. */
export function text(body: Json, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Error(`'${name}' is not text in ${JSON.stringify(body)}`);
  return value;
}

/**
 * Expects a refusal in the flat form of spec section 7, with the members that the vendor's SDKs read where it comes from the Management API.
 * @param says what the description must hold: usually the name of the field.
 */
export function expectError(answer: Answer, status: number, error: string, says: string | RegExp = ""): Json {
  const body = object(answer, status);
  expect(body).toMatchObject({ error, error_description: says === "" ? expect.any(String) : expect.stringMatching(says) });
  expect(text(body, "error_description")).not.toBe("");
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  if ("statusCode" in body)
    expect(body).toMatchObject({ statusCode: status, message: body["error_description"], errorCode: expect.any(String) });
  else expect(Object.keys(body)).toEqual(["error", "error_description"]);
  return body;
}

/** Walks a list by its cursors to the end and returns every item, in order. */
export async function listAllPages(manage: Manager, path: string, key: string, take: number): Promise<readonly Json[]> {
  const found: Json[] = [];
  let next: unknown;
  for (let pages = 0; pages < 100; pages++) {
    const from = next === undefined ? "" : `&from=${encodeURIComponent(String(next))}`;
    const page = object(await manage("GET", `${path}${path.includes("?") ? "&" : "?"}take=${take}${from}`));
    const items = page[key];
    if (!Array.isArray(items)) throw new Error(`no '${key}' in ${JSON.stringify(page)}`);
    expect(items.length).toBeLessThanOrEqual(take);
    found.push(...items.filter(isObject));
    next = page["next"];
    if (next === undefined) return found;
  }
  throw new Error("the walk does not end");
}

/** The ids of audit events of a type, newest first. */
export async function auditEvents(manage: Manager, type: string): Promise<readonly Json[]> {
  return list(await manage("GET", `/api/v2/logs?per_page=100&q=type:${type}`));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
