import { PosternError } from "../errors.ts";
import { invalidInput } from "./validation.ts";

/** How deep JSON in a request may nest. Metadata of real tenants stays below ten. */
const maximumDepth = 64;

/** What a route takes: JSON alone, a form alone (pages), or both (OAuth). */
export type BodyKind = keyof typeof mediaTypes;

const mediaTypes = {
  json: ["application/json"],
  form: ["application/x-www-form-urlencoded"],
  "json-or-form": ["application/x-www-form-urlencoded", "application/json"],
} as const;

/**
 * Reads a request's body.
 * @param limit bytes.
 * @returns the parsed value, or undefined for an empty body.
 * @throws {PosternError} `payload_too_large`, `unsupported_media_type` or `invalid_request`.
 */
export async function readBody(request: Request, kind: BodyKind, limit: number): Promise<unknown> {
  const text = await readText(request, limit);
  if (text === "") return undefined;
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (kind !== "form" && (type === "application/json" || type.endsWith("+json"))) return parseJson(text);
  if (kind !== "json" && type === "application/x-www-form-urlencoded") return parseForm(text);
  throw new PosternError("unsupported_media_type", `content-type must be ${mediaTypes[kind].join(" or ")}`);
}

async function readText(request: Request, limit: number): Promise<string> {
  const tooLarge = (): PosternError => new PosternError("payload_too_large", `the body is larger than ${limit} bytes`);
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge();
  // A declared length is held by the server in front of us. Without one, reading stops at the limit.
  const bytes = await (declared === null ? readStream(request, limit) : request.arrayBuffer()).catch((cause: unknown) => {
    throw new PosternError("invalid_request", "body: could not be read", { errorCode: "invalid_body", cause });
  });
  if (bytes.byteLength > limit) throw tooLarge();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PosternError("invalid_request", "body: is not UTF-8", { errorCode: "invalid_body", cause });
  }
}

/** Reads until the end, or until there is more than `limit` bytes. */
async function readStream(request: Request, limit: number): Promise<Uint8Array> {
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

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PosternError("invalid_request", "body: is not valid JSON", { errorCode: "invalid_body", cause });
  }
  const fault = findFault(value, 0);
  if (fault !== undefined) throw invalidInput("body", fault);
  return value;
}

/** Parses a form. A parameter that is given twice is refused, one without a value is as good as none (RFC 6749 section 3.2). */
export function parseForm(text: string): { readonly [name: string]: string } {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) throw invalidInput("body", `'${name}' is given more than once`);
    const fault = findFault(name, 0) ?? findFault(value, 0);
    if (fault !== undefined) throw invalidInput("body", fault);
    values.set(name, value);
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== ""));
}

/**
 * What no database may be given: NUL and lone surrogates, which PostgreSQL refuses and others change; numbers that JSON cannot say; bottomless nesting.
 * @returns a description, or undefined where all is well.
 */
export function findFault(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") {
    if (value.includes("\0")) return "text must not contain NUL characters";
    return value.isWellFormed() ? undefined : "text must be well-formed Unicode";
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a number is out of range";
  if (value === null || typeof value !== "object") return undefined;
  if (depth >= maximumDepth) return `must not nest deeper than ${maximumDepth} levels`;
  for (const [key, member] of Object.entries(value)) {
    const fault = findFault(key, depth) ?? findFault(member, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
