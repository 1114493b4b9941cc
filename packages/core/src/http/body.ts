import { isObject } from "../store/value.ts";
import { findFault } from "../store/json-fault.ts";
import { PosternError } from "../errors.ts";
import { omitMembers } from "../model/omit-members.ts";
import { invalidInput } from "./validation.ts";

/**
 * The media types that a route accepts: JSON only, a form only (pages), JSON or a form (OAuth), or a form with files or
 * JSON (imports).
 */
export type BodyKind = keyof typeof mediaTypes;

const mediaTypes = {
  json: ["application/json"],
  form: ["application/x-www-form-urlencoded"],
  multipart: ["multipart/form-data", "application/json"],
  "json-or-form": ["application/x-www-form-urlencoded", "application/json"],
} as const;

/**
 * Reads the body of a request.
 * @param limit maximum size in bytes.
 * @returns the parsed value, or undefined for an empty body.
 * @throws {PosternError} `payload_too_large`, `unsupported_media_type` or `invalid_request`.
 */
export async function readBody(request: Request, kind: BodyKind, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (kind === "multipart" && type === "multipart/form-data") return readParts(bytes, request.headers.get("content-type") ?? "");
  const text = toText(bytes);
  if (text === "") return undefined;
  if (kind !== "form" && (type === "application/json" || type.endsWith("+json"))) return parseJson(text);
  if (kind !== "json" && type === "application/x-www-form-urlencoded") return parseForm(text);
  throw new PosternError("unsupported_media_type", `content-type must be ${mediaTypes[kind].join(" or ")}`);
}

/** Members whose content the application defines. Inside them, `null` and an empty string are values. */
const freeForm = new Set(["user_metadata", "client_metadata"]);

/**
 * Removes members that are `null` or an empty string, at every depth. In the Auth API they count as absent, as an empty
 * parameter of a form does: Auth0's SDKs for Java and Python send every optional member of a request.
 */
export function withoutEmptyMembers(body: unknown): unknown {
  return isObject(body) ? omitMembers(body, (value) => value === null || value === "", freeForm) : body;
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (): PosternError => new PosternError("payload_too_large", `the body is larger than ${limit} bytes`);
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge();
  // The HTTP server enforces a declared length. If no length is declared, reading stops at `limit`.
  const bytes = await (declared === null ? readStream(request, limit) : request.arrayBuffer()).catch((cause: unknown) => {
    throw new PosternError("invalid_request", "body: could not be read", { errorCode: "invalid_body", cause });
  });
  if (bytes.byteLength > limit) throw tooLarge();
  return new Uint8Array(bytes);
}

/**
 * Parses a form with files (RFC 7578) with the runtime's parser. Each file contains JSON. A field is text, or JSON if
 * it looks like an object or an array.
 */
async function readParts(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<{ readonly [name: string]: unknown }> {
  const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData().catch((cause: unknown) => {
    throw new PosternError("invalid_request", "body: is not a valid form", { errorCode: "invalid_body", cause });
  });
  const values = new Map<string, unknown>();
  for (const [name, part] of form) {
    if (values.has(name)) throw invalidInput("body", `'${name}' is given more than once`);
    const text = typeof part === "string" ? part : toText(new Uint8Array(await part.arrayBuffer()));
    // A field that contains JSON is parsed, too, because the log redacts secrets by the names of members.
    const isJson = typeof part !== "string" || /^\s*[[{]/.test(text);
    const fault = findFault(name, 0) ?? (isJson ? undefined : findFault(text, 0));
    if (fault !== undefined) throw invalidInput("body", fault);
    values.set(name, isJson ? parseJson(text, name) : text);
  }
  return Object.fromEntries(values);
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PosternError("invalid_request", "body: is not UTF-8", { errorCode: "invalid_body", cause });
  }
}

/** Reads a stream to its end, or until it exceeds `limit` bytes. */
async function readStream(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > limit) break;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function parseJson(text: string, name?: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PosternError("invalid_request", name === undefined ? "body: is not valid JSON" : `body: '${name}' is not valid JSON`, {
      errorCode: "invalid_body",
      cause,
    });
  }
  const fault = findFault(value, 0);
  if (fault !== undefined) throw invalidInput("body", fault);
  return value;
}

/**
 * Parses a form. A repeated parameter is rejected, and a parameter without a value counts as omitted (RFC 6749 section
 * 3.2).
 */
function parseForm(text: string): { readonly [name: string]: string } {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // Several resources have their own error (RFC 8707 section 2).
    if (values.has(name) && name === "resource") throw new PosternError("invalid_target", "'resource' is given more than once");
    if (values.has(name)) throw invalidInput("body", `'${name}' is given more than once`);
    const fault = findFault(name, 0) ?? findFault(value, 0);
    if (fault !== undefined) throw invalidInput("body", fault);
    values.set(name, value);
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== ""));
}
