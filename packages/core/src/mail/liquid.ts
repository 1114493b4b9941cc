import { filters, Liquid } from "liquidjs";

/** What a template may cost. Characters that are read; tags, outputs and pieces of text that are written; characters and list items that are made; milliseconds. */
const parseLimit = 110_000;
const templateLimit = 20_000;
const memoryLimit = 1_000_000;
const renderLimit = 100;

/** Characters that a template may write. */
const longest = 500_000;

/** Tags that would read other templates. */
const reading = ["include", "render", "layout", "block"];

/**
 * Templates of tenants, whom the host need not trust: they read nothing but the values that they are given, no inherited property among them, and are bounded
 * in length, time and memory.
 */
function createEngine(options: { readonly outputEscape?: "escape" }): Liquid {
  const engine = new Liquid({ ownPropertyOnly: true, parseLimit, renderLimit, memoryLimit, templates: {}, timezoneOffset: 0, ...options });
  for (const tag of reading) delete engine.tags[tag];
  return engine;
}

const engines = { text: createEngine({}), html: createEngine({ outputEscape: "escape" }) };

// The vendor's templates ask for it where they need it. Nothing is escaped twice.
const { escape } = filters;
if (typeof escape === "function") engines.html.registerFilter("escape", { raw: true, handler: escape });

/** Why a text cannot be read as a template; undefined for one that can. */
export function faultIn(template: string): string | undefined {
  try {
    engines.text.parse(template);
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/** What the engine says, without the lines of the template. */
export function faultOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1).join("");
}

/**
 * Fills a template.
 * @param kind in HTML every value is escaped unless it is put through `raw`.
 * @throws {Error} for what cannot be read, and what takes too long or writes too much.
 */
export function fillTemplate(template: string, values: object, kind: "text" | "html"): string {
  const written = String(engines[kind].parseAndRenderSync(template, values, { templateLimit }));
  if (written.length > longest) throw new Error(`the template writes more than ${longest} characters`);
  return written;
}
