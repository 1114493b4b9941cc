/**
 * Units of work that rendering the templates of one message may take. One unit is one step of the engine or 32
 * characters of text, a microsecond or less. The default templates of Auth0 take some hundred units.
 */
export const maximumWork = 100_000;

/** Units after which other work of the process gets its turn. */
const slice = 5_000;

/** Characters per unit. */
const unitCharacters = 32;

/** Characters of one value: a variable, captured text, or what a filter returns. */
export const maximumText = 100_000;

/** Items of one list. */
const maximumItems = 10_000;

/** The template needs more work, longer text or longer lists than a message may. */
export class TemplateLimitError extends Error {
  override readonly name = "TemplateLimitError";
}

/**
 * Counts the work of rendering one message. Units and not time, so that a template behaves the same on every machine.
 */
export interface WorkMeter {
  /** Units that were charged. */
  readonly used: number;
  /** @throws {TemplateLimitError} if the message takes more than {@link maximumWork}. */
  charge(units: number): void;
  /** Charges the reading of text. */
  chargeText(characters: number): void;
  /**
   * Charges the search for a text in another one. A search compares each character of the text with up to all
   * characters of the pattern.
   */
  chargeSearch(text: number, pattern: number): void;
  /** Charges the reading of a value: of all texts in its lists, and with `deep` of all members of its objects. */
  chargeValue(value: unknown, deep?: "deep"): void;
  /** Returns a value that a template has made. @throws {TemplateLimitError} if it is longer than one value may be. */
  bounded<Value>(value: Value): Value;
  /** @throws {TemplateLimitError} if a list is longer than a list may be. */
  checkItems(count: number): void;
  /** Whether the slice is used up. The next slice begins. */
  isSliceUsed(): boolean;
}

/** Creates a meter that has counted nothing. */
export function createWorkMeter(): WorkMeter {
  let used = 0;
  let sliceEnd = slice;
  const charge = (units: number): void => {
    used += units;
    if (!(used <= maximumWork)) throw new TemplateLimitError(`the template takes more than ${maximumWork} units of work`);
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
    if (count > maximumItems) throw new TemplateLimitError(`a list of the template has more than ${maximumItems} items`);
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
        throw new TemplateLimitError(`a value of the template has more than ${maximumText} characters`);
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
