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
 * Limits of a template's text. Reading a tag takes some hundred times as long as reading text between tags. All lengths
 * are in characters.
 */
const maximumLength = 110_000;
const maximumTags = 1_000;
const maximumTagLength = 4_000;
const maximumTagText = 40_000;

/** Characters that a template may write. */
const maximumOutput = 500_000;

/** Characters and list items that the engine's own limit allows. It covers what is made outside of filters. */
const memoryLimit = 1_000_000;

/** Numbers up to which the engine can count. A loop over larger ones would not end. */
const maximumRangeBound = 1_000_000_000;

/**
 * The tags that templates can use. Others read templates (`include`, `render`, `layout`, `block`), or take the engine
 * more than linear time to read (`liquid`, `#`).
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

/** An engine that has read one or more templates, and counts all work with them. */
interface TemplateEngine {
  /** @throws {Error} if a template is not valid Liquid, uses a tag or filter that is not supported, or is too long. */
  parse(template: string): Template[];
  /** Returns the steps of rendering. Each step takes a bounded amount of work; the last one returns the text. */
  render(templates: Template[], values: object): Generator<unknown>;
}

/**
 * Creates an engine for templates of a tenant. Templates read only the values that they are given, and no inherited
 * property of them.
 * @param kind in `html` every value is escaped unless its last filter is `raw`.
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
  // Without an emitter, the engine captures text for a variable.
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
    // `increment` changes the values.
    render: (templates, values) =>
      renderTemplates(templates, createContext(engine, { ...values }, meter), createEmitter(meter, maximumOutput), meter),
  };
}

/**
 * Bounds the text before it is read. Quoted text can hold delimiters, so only the engine's own tokenizer knows where a
 * tag ends.
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

/** The engine's own loop over parts of a template, with each part and each character counted. */
function* renderTemplates(templates: Template[], context: Context, emitter: Emitter, meter: WorkMeter): Generator<unknown> {
  for (const template of templates) {
    // Tags read their own text, such as `cycle`, which finds its position by it.
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
    // The size of an object is found by listing its members.
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
      // Of an operator with one operand, this is the context.
      if (name !== "not") meter.chargeValue(right);
      if (name === "contains" && typeof left === "string" && typeof right === "string") meter.chargeSearch(left.length, right.length);
      return operator(left, right, context);
    },
  ]);
  return Object.fromEntries(metered);
}

/** A loop whose collection is counted and bounded before the engine copies it. */
function meteredFor(meter: WorkMeter) {
  return class MeteredFor extends ForTag {
    override *render(context: Context, emitter: Emitter): ReturnType<ForTag["render"]> {
      const { collection } = this;
      // The engine stores the position of the loop under its text.
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
  // A bound that is no number makes an empty list.
  if (Number.isNaN(low) || Number.isNaN(high)) return 0;
  if (Math.max(Math.abs(low), Math.abs(high)) > maximumRangeBound) throw new TemplateLimitError(`a range goes beyond ${maximumRangeBound}`);
  return Math.max(0, high - low + 1);
}

/**
 * Rejects templates that the engine would evaluate without a limit, and unknown filters, which it would find only while
 * rendering.
 */
function checkTemplates(templates: readonly Template[], engine: Liquid): void {
  for (const template of templates) {
    const fail = (message: string): never => {
      throw new ParseError(new Error(message), template.token);
    };
    const checkToken = (token: Token | undefined): void => {
      if (TypeGuards.isRangeToken(token)) fail("a range can stand only in a 'for' tag");
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
      // A parameter with a name is a pair.
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
        // The engine would convert a list to a name each time.
        if (template instanceof CycleTag && TypeGuards.isPropertyAccessToken(argument))
          fail("the name of a 'cycle' must be a text or a number");
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

/** Returns a value as the engine writes it. */
function textOf(value: unknown, meter: WorkMeter): string {
  const plain: unknown = toValue(value);
  if (typeof plain === "string") return plain;
  if (plain === null || plain === undefined) return "";
  if (!Array.isArray(plain)) return String(plain);
  meter.chargeValue(plain);
  return plain.map((item) => textOf(item, meter)).join("");
}
