/** A JSON object. */
export interface JsonValue {
  readonly [name: string]: unknown;
}

/** A response from the service, with its body already read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, or the text if it is not JSON. */
  readonly body: unknown;
}

/** Reads the body of a response. */
export async function readResponse(response: Response): Promise<HttpResponse> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns the response if it has this status.
 * @throws if it has another status.
 * @param what the request, for the error message.
 */
export function expectStatus(response: HttpResponse, status: number, what: string): HttpResponse {
  if (response.status !== status) throw new Error(`${what}: expected ${status}, got ${show(response)}`);
  return response;
}

/** Returns the body of a response, which must be a JSON object with this status. */
export function jsonObject(response: HttpResponse, status: number, what: string): JsonValue {
  const { body } = expectStatus(response, status, what);
  if (!isObject(body)) throw new Error(`${what}: expected a JSON object, got ${show(response)}`);
  return body;
}

/** Returns the JSON objects of a list response: a bare array, or the member `key` of an envelope. */
export function jsonList(response: HttpResponse, what: string, key?: string): readonly JsonValue[] {
  const { body } = expectStatus(response, 200, what);
  const value = key !== undefined && isObject(body) ? body[key] : body;
  if (!Array.isArray(value) || !value.every(isObject)) throw new Error(`${what}: expected a list, got ${show(response)}`);
  return value;
}

/** Returns a member, which must be a string. */
export function textMember(body: JsonValue, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Error(`'${name}' is not text in ${JSON.stringify(body)}`);
  return value;
}

function show({ status, body }: HttpResponse): string {
  return `${status} ${JSON.stringify(body)?.slice(0, 500)}`;
}

function isObject(value: unknown): value is JsonValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
