/** Preferences that some routes support in the `Prefer` header (RFC 7240). */
type Preference = "include-linked" | "keep-session";

/** The preferences in a request's `Prefer` header (RFC 7240) that Postern supports. */
export interface Preferences {
  /** Returns whether the client sent a preference. If so, the response lists the preference in `Preference-Applied`. */
  apply(preference: Preference): boolean;
  /** The value of `Preference-Applied`; undefined if no preference was applied. */
  readonly applied: string | undefined;
}

/** A quoted string (RFC 9110 section 5.6.4). A string without a closing quote ends at the end of the header. */
const quotedString = /"(?:\\.?|[^"\\])*(?:"|$)/g;

const nothingPreferred: Preferences = { apply: () => false, applied: undefined };

/** Parses a `Prefer` header. Parameters and values of a preference are ignored, because no known preference has any. */
export function parsePrefer(header: string | null): Preferences {
  if (header === null) return nothingPreferred;
  // A comma in a quoted string is not a separator.
  const sent = new Set(
    header
      .replaceAll(quotedString, '""')
      .split(",")
      .map((part) => part.split(/[;=]/, 1)[0]?.trim().toLowerCase()),
  );
  const applied = new Set<Preference>();
  return {
    apply(preference) {
      if (sent.has(preference)) applied.add(preference);
      return sent.has(preference);
    },
    get applied() {
      return applied.size === 0 ? undefined : [...applied].join(", ");
    },
  };
}
