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

/** Begins a {@link Comparison}. */
export function compare({ owner }: Pick<Room, "owner">): Comparison {
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
          if (without(answer, sent).includes(owner.mark)) found.push(`${place}: ${sent} was answered with something of '${owner.id}'`);
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
          found.push(`${place}: ${value}\n  of '${owner.id}' is answered ${answered}\n  while nobody's is answered ${before}`);
      }
    },
    end() {
      if (found.length > 0)
        throw new Error([...found.slice(0, 5), ...(found.length > 5 ? [`and ${found.length - 5} more`] : [])].join("\n"));
    },
  };
}

/** What an answer tells. Of a success its shape: what is made is new each time. */
export function told(answer: Answer, value: string): string {
  const { status, headers } = answer;
  const text = without(answer, value);
  const location = headers.get("location");
  const cookies = headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]);
  const body = status < 300 ? shapeOf(parse(text)) : text;
  return JSON.stringify({
    status,
    body,
    ...(location !== null && { location: addressOf(location, value) }),
    ...(cookies.length > 0 && { cookies }),
  });
}

/** The body as text, without the value that was sent, whichever way it is written. */
function without({ body }: Answer, value: string): string {
  return [JSON.stringify(value).slice(1, -1), encodeURIComponent(value), escapeHtml(value)].reduce(
    (text, form) => text.replaceAll(form, "<value>"),
    JSON.stringify(body ?? null),
  );
}

/** Where a redirect leads: with the shape of what is new each time. */
function addressOf(location: string, value: string): unknown {
  if (!URL.canParse(location)) return location;
  const { origin, pathname, search, hash } = new URL(location);
  const parameters = [...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))];
  return [origin, pathname, parameters.map(([name, text]) => [name, text === value ? "<value>" : name.startsWith("error") ? text : ""])];
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
