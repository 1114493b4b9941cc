import type { HttpResponse } from "./response.ts";
import type { Fixture } from "./definition.ts";

/**
 * Compares the responses to values that the owner tenant issued with the responses to values that were never issued.
 */
export interface Comparison {
  /**
   * Sends each value. Each response must equal a response to a value that was never issued.
   * @param sendValue sends a value to the stranger tenant.
   * @param unknown returns a value of the same form that was never issued.
   */
  compare(
    place: string,
    values: Iterable<string>,
    sendValue: (value: string) => Promise<HttpResponse>,
    unknown?: (value: string) => string,
  ): Promise<void>;
  /** Whether the response to any of the values was a success. */
  readonly isAccepted: boolean;
  /** @throws if any response differed. The message lists the differences. */
  assertNoDifference(): void;
}

/**
 * Starts a {@link Comparison}.
 * @param sentAlong text that each request contains, so that a response may repeat it.
 */
export function startComparison({ owner }: Pick<Fixture, "owner">, sentAlong = ""): Comparison {
  const differences: string[] = [];
  let isAccepted = false;
  return {
    get isAccepted() {
      return isAccepted;
    },
    async compare(place, values, sendValue, unknown = unissuedValue) {
      const unknownResponses = new Map<string, HttpResponse>();
      for (const value of values) {
        const send = async (sent: string): Promise<string> => {
          const response = await sendValue(sent);
          if (bodyWithout(response, sent).replaceAll(sentAlong, "").includes(owner.mark))
            differences.push(`${place}: the response to ${sent} contains data of '${owner.id}'`);
          isAccepted ||= sent === value && response.status < 300;
          const text = describeResponse(response, sent);
          if (sent !== value) unknownResponses.set(text, response);
          return text;
        };
        if (unknownResponses.size === 0) await send(unknown(value));
        const actual = await send(value);
        if (unknownResponses.has(actual)) continue;
        const expected = await send(unknown(value));
        // The request itself may have changed data that the next response depends on, so an unknown value is sent once
        // more.
        if (expected !== actual && (await send(unknown(value))) !== actual)
          differences.push(
            `${place}: ${short(value)}\n  the response to a value of '${owner.id}': ${differingPart(actual, expected)}\n  the response to an unknown value: ${differingPart(expected, actual)}`,
          );
      }
    },
    assertNoDifference() {
      if (differences.length > 0)
        throw new Error([...differences.slice(0, 5), ...(differences.length > 5 ? [`and ${differences.length - 5} more`] : [])].join("\n"));
    },
  };
}

/** Returns the start of a response and the part where it first differs from another one. */
function differingPart(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return `${text.slice(0, 20)}… ${text.slice(Math.max(20, at - 60), at + 120)}`;
}

function short(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

/**
 * Returns the comparable parts of a response. For a success, the body is reduced to its structure, because its values
 * are new each time.
 */
export function describeResponse(response: HttpResponse, value: string): string {
  const { status, headers } = response;
  const text = bodyWithout(response, value);
  const location = headers.get("location");
  const cookies = headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]);
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  const body = isPage ? comparablePage(text) : status < 300 ? shapeOf(parse(text)) : text;
  return JSON.stringify({
    status,
    body,
    ...(location !== null && { location: comparableLocation(location, value) }),
    ...(cookies.length > 0 && { cookies }),
  });
}

/** Returns the body as text, in which each encoding of the sent value is replaced. */
function bodyWithout({ body }: HttpResponse, value: string): string {
  if (value === "") return JSON.stringify(body ?? null);
  return [JSON.stringify(value).slice(1, -1), encodeURIComponent(value), escapeHtml(value)].reduce(
    (text, form) => text.replaceAll(form, "<value>"),
    JSON.stringify(body ?? null),
  );
}

/**
 * Returns the HTML of a page without the parts that are new each time: scripts, styles, request ids, nonces and hidden
 * fields.
 */
function comparablePage(text: string): string {
  return text
    .replaceAll(/<(style|script)\b.*?<\/\1>/gs, "")
    .replaceAll(/(id=\\"request-id\\"[^>]*>)[^<]*/g, "$1")
    .replaceAll(/\bnonce=\\"[^"]*"/g, "")
    .replaceAll(/(<input type=\\"hidden\\"[^>]*? value=)\\"[^"]*"/g, "$1");
}

/** Returns the comparable parts of a redirect URL: parameter names, and the values of error parameters. */
function comparableLocation(location: string, value: string): unknown {
  if (!URL.canParse(location)) return location;
  const { origin, pathname, search, hash } = new URL(location);
  const parameters = [...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))];
  return [origin, pathname, parameters.map(([name, text]) => [name, name.startsWith("error") ? text.replaceAll(value, "<value>") : ""])];
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Each digit stays among those that base32 contains or among those that it lacks. */
const otherDigits: Readonly<Record<string, string>> = { 0: "1", 1: "0", 2: "3", 3: "4", 4: "5", 5: "6", 6: "7", 7: "2", 8: "9", 9: "8" };

/**
 * Returns a value that was never issued and has the same syntax as `value`. It is valid base32 if and only if `value` is,
 * because a member such as a TOTP secret accepts every base32 text, which a random id sometimes is.
 */
export function unissuedValue(value: string): string {
  const start = Math.max(value.lastIndexOf("|"), value.lastIndexOf("_"), value.lastIndexOf(".")) + 1;
  const changed = value
    .slice(start)
    .replaceAll(/[a-yA-Y0-9]/g, (character) => otherDigits[character] ?? String.fromCharCode(character.charCodeAt(0) + 1));
  return value.slice(0, start) + changed;
}
