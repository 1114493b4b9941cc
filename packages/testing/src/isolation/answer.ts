/** A JSON object whose members a case looks at. */
export interface Json {
  readonly [name: string]: unknown;
}

/** An answer of the installation, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; text where it is not JSON. */
  readonly body: unknown;
}

/** Reads a response. */
export async function readAnswer(response: Response): Promise<Answer> {
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

/** The answer where it has this status. @throws where it has another. @param what was asked. */
export function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status !== status) throw new Error(`${what}: expected ${status}, got ${show(answer)}`);
  return answer;
}

/** The JSON object of an answer with this status. */
export function objectOf(answer: Answer, status: number, what: string): Json {
  const { body } = expectStatus(answer, status, what);
  if (!isObject(body)) throw new Error(`${what}: expected a JSON object, got ${show(answer)}`);
  return body;
}

/** The JSON objects of a list: a bare array, or the member `key` of an envelope. */
export function listOf(answer: Answer, what: string, key?: string): readonly Json[] {
  const { body } = expectStatus(answer, 200, what);
  const value = key !== undefined && isObject(body) ? body[key] : body;
  if (!Array.isArray(value) || !value.every(isObject)) throw new Error(`${what}: expected a list, got ${show(answer)}`);
  return value;
}

/** A member that is text. */
export function textOf(body: Json, name: string): string {
  const value = body[name];
  if (typeof value !== "string") throw new Error(`'${name}' is not text in ${JSON.stringify(body)}`);
  return value;
}

function show({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body)?.slice(0, 500)}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
