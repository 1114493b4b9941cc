/**
 * The maximum number of units of work for rendering the templates of one message. One unit is one step of the template
 * engine or 32 characters of text, and takes a microsecond or less. Auth0's default templates take a few hundred units.
 */
export const maximumWork = 100_000;

/** The number of units after which other work in the process runs. */
const slice = 5_000;

/** The number of characters that count as one unit. */
const unitCharacters = 32;

/** The maximum number of characters in one value: a variable, captured text or the result of a filter. */
export const maximumText = 100_000;

/** The maximum number of items in one list. */
const maximumItems = 10_000;

/** Thrown if a template exceeds the limits on work, text or lists for one message. */
export class TemplateLimitError extends Error {
  override readonly name = "TemplateLimitError";
}

/**
 * Counts the work of rendering one message, in units. It does not measure time, so that a template behaves the same on
 * every machine.
 */
export interface WorkMeter {
  /** The number of units that were charged so far. */
  readonly used: number;
  /** @throws {TemplateLimitError} if the message takes more than {@link maximumWork} units. */
  charge(units: number): void;
  /** Charges the work of reading text. */
  chargeText(characters: number): void;
  /**
   * Charges the work of searching a pattern in a text. A search may compare each character of the text with all
   * characters of the pattern.
   */
  chargeSearch(text: number, pattern: number): void;
  /**
   * Charges the work of reading a value with all items of its lists, and with `deep` also all members of its objects.
   */
  chargeValue(value: unknown, deep?: "deep"): void;
  /** Returns the value of a filter. @throws {TemplateLimitError} if the value exceeds the limit on text or lists. */
  bounded<Value>(value: Value): Value;
  /** @throws {TemplateLimitError} if a list with this many items exceeds the limit. */
  checkItems(count: number): void;
  /** Whether the current slice of work is used up. If so, begins the next slice. */
  isSliceUsed(): boolean;
}

/** Creates a meter that starts at zero. */
export function createWorkMeter(): WorkMeter {
  let used = 0;
  let sliceEnd = slice;
  const charge = (units: number): void => {
    used += units;
    if (!(used <= maximumWork)) throw new TemplateLimitError(`the templates of the message take more than ${maximumWork} units of work`);
  };
  const chargeText = (characters: number): void => charge(characters / unitCharacters);
  const chargeValue = (value: unknown, deep?: "deep"): void => {
    charge(1 / 4);
    if (typeof value === "string") chargeText(value.length);
    else if (Array.isArray(value)) for (const item of value) chargeValue(item, deep);
    else if (deep === "deep" && typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        chargeText(name.length);
        chargeValue(member, deep);
      }
    }
  };
  const checkItems = (count: number): void => {
    if (count > maximumItems) throw new TemplateLimitError(`a list in the template has more than ${maximumItems} items`);
  };
  return {
    get used() {
      return used;
    },
    charge,
    chargeText,
    chargeSearch: (text, pattern) => chargeText(text * (1 + pattern / 8)),
    chargeValue,
    bounded(value) {
      if (typeof value === "string" && value.length > maximumText)
        throw new TemplateLimitError(`a value in the template has more than ${maximumText} characters`);
      if (Array.isArray(value)) checkItems(value.length);
      return value;
    },
    checkItems,
    isSliceUsed() {
      if (used < sliceEnd) return false;
      sliceEnd = used + slice;
      return true;
    },
  };
}
