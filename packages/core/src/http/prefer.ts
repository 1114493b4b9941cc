/** Preferences that some route honours (spec section 4.2). */
export type Preference = "include-linked" | "keep-session";

/** The `Prefer` header of a request (RFC 7240), of which only known preferences are kept. */
export interface Preferences {
  /** Whether a preference was sent. Asking honours it: it is then listed in `Preference-Applied`. */
  honour(preference: Preference): boolean;
  /** The value of `Preference-Applied`, or undefined when nothing was honoured. */
  readonly applied: string | undefined;
}

/** A quoted string (RFC 9110 section 5.6.4). One that nobody closed goes to the end. */
const quotedString = /"(?:\\.?|[^"\\])*(?:"|$)/g;

const nothingPreferred: Preferences = { honour: () => false, applied: undefined };

/** Reads a `Prefer` header. Parameters and values of a preference are ignored, as no known one has any. */
export function parsePrefer(header: string | null): Preferences {
  if (header === null) return nothingPreferred;
  // A comma in a quoted string separates nothing.
  const sent = new Set(
    header
      .replaceAll(quotedString, '""')
      .split(",")
      .map((part) => part.split(/[;=]/, 1)[0]?.trim().toLowerCase()),
  );
  const honoured = new Set<Preference>();
  return {
    honour(preference) {
      if (sent.has(preference)) honoured.add(preference);
      return sent.has(preference);
    },
    get applied() {
      return honoured.size === 0 ? undefined : [...honoured].join(", ");
    },
  };
}
