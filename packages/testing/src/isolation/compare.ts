import type { Answer } from "./answer.ts";
import type { Room } from "./definition.ts";

/** Compares what is answered for values of the owner with what is answered for values that nobody has. */
export interface Comparison {
  /** Asks with each of the values: each must be answered as some value is that was never made. @param ask sends a value to the stranger. */
  of(place: string, values: Iterable<string>, ask: (value: string) => Promise<Answer>, unknown?: (value: string) => string): Promise<void>;
  /** Whether a success was answered for any of the values. */
  readonly isAccepted: boolean;
  /** Fails with all that was found. */
  end(): void;
}

/** Begins a {@link Comparison}. @param along text that goes along each time, and may be answered. */
export function compare({ owner }: Pick<Room, "owner">, along = ""): Comparison {
  const found: string[] = [];
  let isAccepted = false;
  return {
    get isAccepted() {
      return isAccepted;
    },
    async of(place, values, ask, unknown = neverMade) {
      const usual = new Map<string, Answer>();
      for (const value of values) {
        const send = async (sent: string): Promise<string> => {
          const answer = await ask(sent);
          if (without(answer, sent).replaceAll(along, "").includes(owner.mark))
            found.push(`${place}: ${sent} was answered with something of '${owner.id}'`);
          isAccepted ||= sent === value && answer.status < 300;
          const text = told(answer, sent);
          if (sent !== value) usual.set(text, answer);
          return text;
        };
        if (usual.size === 0) await send(unknown(value));
        const answered = await send(value);
        if (usual.has(answered)) continue;
        const before = await send(unknown(value));
        // What was sent may itself have changed what is answered next.
        if (before !== answered && (await send(unknown(value))) !== answered)
          found.push(
            `${place}: ${short(value)}\n  of '${owner.id}' is answered ${apart(answered, before)}\n  while nobody's is answered ${apart(before, answered)}`,
          );
      }
    },
    end() {
      if (found.length > 0)
        throw new Error([...found.slice(0, 5), ...(found.length > 5 ? [`and ${found.length - 5} more`] : [])].join("\n"));
    },
  };
}

/** The part of an answer where it differs from another one, with its beginning. */
function apart(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return `${text.slice(0, 20)}… ${text.slice(Math.max(20, at - 60), at + 120)}`;
}

function short(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

/** What an answer tells. Of a success its shape: what is made is new each time. */
export function told(answer: Answer, value: string): string {
  const { status, headers } = answer;
  const text = without(answer, value);
  const location = headers.get("location");
  const cookies = headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]);
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  const body = isPage ? pageOf(text) : status < 300 ? shapeOf(parse(text)) : text;
  return JSON.stringify({
    status,
    body,
    ...(location !== null && { location: addressOf(location, value) }),
    ...(cookies.length > 0 && { cookies }),
  });
}

/** The body as text, without the value that was sent, whichever way it is written. */
function without({ body }: Answer, value: string): string {
  if (value === "") return JSON.stringify(body ?? null);
  return [JSON.stringify(value).slice(1, -1), encodeURIComponent(value), escapeHtml(value)].reduce(
    (text, form) => text.replaceAll(form, "<value>"),
    JSON.stringify(body ?? null),
  );
}

/** What a page shows, without what each page has of its own: the names of its scripts, the proofs of its forms. */
function pageOf(text: string): string {
  return text
    .replaceAll(/<(style|script)\b.*?<\/\1>/gs, "")
    .replaceAll(/(id=\\"request-id\\"[^>]*>)[^<]*/g, "$1")
    .replaceAll(/\bnonce=\\"[^"]*"/g, "")
    .replaceAll(/(<input type=\\"hidden\\"[^>]*? value=)\\"[^"]*"/g, "$1");
}

/** Where a redirect leads: with the shape of what is new each time. */
function addressOf(location: string, value: string): unknown {
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

/** Text of the form of a value, that nobody was ever given. */
export function neverMade(value: string): string {
  const start = Math.max(value.lastIndexOf("|"), value.lastIndexOf("_"), value.lastIndexOf(".")) + 1;
  const turned = value.slice(start).replaceAll(/[a-yA-Y0-8]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 1));
  return value.slice(0, start) + turned;
}
