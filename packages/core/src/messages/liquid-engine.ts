import {
  Context,
  CycleTag,
  defaultOperators,
  evalToken,
  evalTokenValue,
  ForTag,
  Liquid,
  LiquidError,
  ParseError,
  RenderError,
  tags,
  toValue,
  Tokenizer,
  TypeGuards,
  Value,
  type Emitter,
  type Operators,
  type Template,
  type Token,
} from "liquidjs";
import { meteredFilters } from "./liquid-filters.ts";
import { maximumText, TemplateLimitError, type WorkMeter } from "./liquid-work.ts";

/**
 * The limits on the text of a template, in characters. Parsing a tag takes about a hundred times as long as parsing the
 * same amount of text between tags.
 */
const maximumLength = 110_000;
const maximumTags = 1_000;
const maximumTagLength = 4_000;
const maximumTagText = 40_000;

/** The maximum number of characters that a template may output. */
const maximumOutput = 500_000;

/**
 * The number of characters and list items that the engine's own memory limit allows. That limit covers text and lists
 * that are created outside of filters.
 */
const memoryLimit = 1_000_000;

/** The largest number in a range. With numbers that are too large to be incremented exactly, a loop would not end. */
const maximumRangeBound = 1_000_000_000;

/**
 * The tags that templates can use. The excluded tags load other templates (`include`, `render`, `layout`, `block`), or
 * take more than linear time to parse (`liquid`, `#`).
 */
const allowedTags = new Set([
  "assign",
  "break",
  "capture",
  "case",
  "comment",
  "continue",
  "cycle",
  "decrement",
  "echo",
  "for",
  "if",
  "increment",
  "raw",
  "unless",
]);

/** A template engine that counts all its work. */
interface TemplateEngine {
  /** @throws {Error} if a template is invalid, uses an unsupported tag or filter, or is too long. */
  parse(template: string): Template[];
  /**
   * Returns a generator that renders the templates step by step. Each step takes a bounded amount of work; the last
   * step returns the text.
   */
  render(templates: Template[], values: object): Generator<unknown>;
}

/**
 * Creates an engine for a tenant's templates. Templates can read only the values that are passed to `render`, and no
 * inherited properties of these values.
 * @param kind if `html`, every value is escaped unless its last filter is `raw`.
 */
export function createTemplateEngine(kind: "text" | "html", meter: WorkMeter): TemplateEngine {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: maximumLength,
    memoryLimit,
    templates: {},
    timezoneOffset: 0,
    operators: meteredOperators(meter),
    ...(kind === "html" && { outputEscape: (value: unknown) => escapeHtml(textOf(value, meter), meter) }),
  });
  for (const tag of Object.keys(tags)) if (!allowedTags.has(tag)) delete engine.tags[tag];
  for (const filter of Object.keys(engine.filters)) engine.unregisterFilter(filter);
  for (const [name, filter] of Object.entries(meteredFilters(meter))) engine.registerFilter(name, filter);
  engine.registerTag("for", meteredFor(meter));
  // If no emitter is passed, the engine captures text for a variable.
  engine.renderer.renderTemplates = (templates, context, emitter = createEmitter(meter, maximumText)) =>
    renderTemplates(templates, context, emitter, meter);

  return {
    parse(template) {
      checkLength(template, engine);
      meter.chargeText(template.length);
      const templates = engine.parse(template);
      checkTemplates(templates, engine);
      return templates;
    },
    // The values are copied, because the tag `increment` changes them.
    render: (templates, values) =>
      renderTemplates(templates, createContext(engine, { ...values }, meter), createEmitter(meter, maximumOutput), meter),
  };
}

/**
 * Limits the length of a template and its tags before the template is parsed. Quoted text can contain delimiters, so
 * only the engine's tokenizer can find the end of a tag.
 */
function checkLength(template: string, engine: Liquid): void {
  if (template.length > maximumLength) throw new TemplateLimitError(`the template has more than ${maximumLength} characters`);
  if (template.split(/\{[{%]/, maximumTags + 2).length > maximumTags + 1)
    throw new TemplateLimitError(`the template has more than ${maximumTags} tags and outputs`);
  let total = 0;
  for (const token of new Tokenizer(template, {}).readTopLevelTokens(engine.options)) {
    if (!TypeGuards.isDelimitedToken(token)) continue;
    const length = token.end - token.begin;
    total += length;
    if (length > maximumTagLength) throw new TemplateLimitError(`a tag or output has more than ${maximumTagLength} characters`);
    if (total > maximumTagText) throw new TemplateLimitError(`the tags and outputs have more than ${maximumTagText} characters together`);
  }
}

/** Renders the parts of a template. Replaces the same function in the engine, to count each part and each character. */
function* renderTemplates(templates: Template[], context: Context, emitter: Emitter, meter: WorkMeter): Generator<unknown> {
  for (const template of templates) {
    // Some tags read their own text. For example, `cycle` finds its position by that text.
    meter.chargeText(template.token.end - template.token.begin);
    try {
      emitter.write(yield template.render(context, emitter));
    } catch (error) {
      throw LiquidError.is(error) ? error : new RenderError(error instanceof Error ? error : new Error(String(error)), template);
    }
    if (context.breakCalled || context.continueCalled) break;
  }
  return emitter.buffer;
}

function createEmitter(meter: WorkMeter, maximum: number): Emitter {
  let buffer = "";
  return {
    write(value: unknown) {
      const text = textOf(value, meter);
      meter.chargeText(text.length);
      if (buffer.length + text.length > maximum) throw new TemplateLimitError(`the template writes more than ${maximum} characters`);
      buffer += text;
    },
    get buffer() {
      return buffer;
    },
  };
}

function createContext(engine: Liquid, values: object, meter: WorkMeter): Context {
  const context = new Context(values, engine.options, { sync: true }, { liquid: engine });
  const readProperty = context.readProperty.bind(context);
  context.readProperty = (object: object, key) => {
    const name: unknown = toValue(key);
    if (typeof name === "string") meter.chargeText(name.length);
    // The engine lists all members of an object to return its size.
    if (name === "size" && typeof object === "object" && object !== null && !Array.isArray(object))
      meter.charge(Object.keys(object).length);
    return readProperty(object, key);
  };
  return context;
}

function meteredOperators(meter: WorkMeter): Operators {
  const metered = Object.entries(defaultOperators).map(([name, operator]) => [
    name,
    (left: unknown, right: unknown, context: Context) => {
      meter.chargeValue(left);
      // `not` has one operand; its second argument is the context.
      if (name !== "not") meter.chargeValue(right);
      if (name === "contains" && typeof left === "string" && typeof right === "string") meter.chargeSearch(left.length, right.length);
      return operator(left, right, context);
    },
  ]);
  return Object.fromEntries(metered);
}

/** Creates the `for` tag. It counts and limits the items of the collection before the engine copies the collection. */
function meteredFor(meter: WorkMeter) {
  return class MeteredFor extends ForTag {
    override *render(context: Context, emitter: Emitter): ReturnType<ForTag["render"]> {
      const { collection } = this;
      // The engine uses the text of the collection as the key under which it stores the position of the loop.
      meter.chargeText(collection.getText().length);
      let count = 0;
      if (TypeGuards.isRangeToken(collection)) {
        const low: unknown = yield evalTokenValue(collection.lhs, context);
        const high: unknown = yield evalTokenValue(collection.rhs, context);
        count = rangeLength(Number(low), Number(high));
      } else {
        const value: unknown = toValue(yield evalToken(collection, context));
        if (Array.isArray(value)) count = value.length;
        else if (typeof value === "object" && value !== null) count = Object.keys(value).length;
      }
      meter.checkItems(count);
      meter.charge(count);
      return yield* super.render(context, emitter);
    }
  };
}

function rangeLength(low: number, high: number): number {
  // If a bound is not a number, the range is empty.
  if (Number.isNaN(low) || Number.isNaN(high)) return 0;
  if (Math.max(Math.abs(low), Math.abs(high)) > maximumRangeBound)
    throw new TemplateLimitError(`a range must not contain numbers beyond ${maximumRangeBound}`);
  return Math.max(0, high - low + 1);
}

/**
 * Rejects templates that the engine would evaluate without a limit. Also rejects unknown filters, which the engine
 * would otherwise detect only when it renders the template.
 */
function checkTemplates(templates: readonly Template[], engine: Liquid): void {
  for (const template of templates) {
    const fail = (message: string): never => {
      throw new ParseError(new Error(message), template.token);
    };
    const checkToken = (token: Token | undefined): void => {
      if (TypeGuards.isRangeToken(token)) fail("a range is only allowed in a 'for' tag");
      else if (TypeGuards.isPropertyAccessToken(token)) {
        checkToken(token.variable);
        token.props.forEach(checkToken);
      } else if (TypeGuards.isFilteredValueToken(token)) {
        token.initial.postfix.forEach(checkToken);
        for (const { name, args } of token.filters) {
          if (!(name in engine.filters)) fail(`undefined filter: ${name}`);
          args.forEach(checkArgument);
        }
      }
    };
    const checkArgument = (argument: Token | readonly (Token | string | undefined)[]): void => {
      // A named parameter is a pair of its name and its value.
      for (const part of "kind" in argument ? [argument] : argument) if (typeof part !== "string") checkToken(part);
    };
    for (const argument of template.arguments?.() ?? []) {
      if (argument instanceof Value) {
        argument.initial.postfix.forEach(checkToken);
        for (const { args } of argument.filters) args.forEach(checkArgument);
      } else if (template instanceof ForTag && argument === template.collection && TypeGuards.isRangeToken(argument)) {
        checkToken(argument.lhs);
        checkToken(argument.rhs);
      } else {
        checkToken(argument);
        // If the name were a list, the engine would convert the list to text each time.
        if (template instanceof CycleTag && TypeGuards.isPropertyAccessToken(argument))
          fail("the name of a 'cycle' must be a string or a number");
      }
    }
    checkTemplates(childrenOf(template), engine);
  }
}

function childrenOf(template: Template): readonly Template[] {
  const children = template.children?.(false, true);
  for (;;) {
    const step = children?.next();
    if (step === undefined) return [];
    if (step.done === true) return step.value;
  }
}

const htmlEscapes = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&#34;"],
  ["'", "&#39;"],
]);

function escapeHtml(text: string, meter: WorkMeter): string {
  meter.chargeText(text.length);
  return text.replace(/[&<>"']/g, (character) => htmlEscapes.get(character) ?? character);
}

/** Returns the text that the engine outputs for a value. */
function textOf(value: unknown, meter: WorkMeter): string {
  const plain: unknown = toValue(value);
  if (typeof plain === "string") return plain;
  if (plain === null || plain === undefined) return "";
  if (!Array.isArray(plain)) return String(plain);
  meter.chargeValue(plain);
  return plain.map((item) => textOf(item, meter)).join("");
}
