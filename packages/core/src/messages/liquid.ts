import { endOfTurn } from "../store/turn.ts";
import { createFairQueue } from "../identity/passwords/fair-queue.ts";
import { createTemplateEngine } from "./liquid-engine.ts";
import { createWorkMeter, type WorkMeter } from "./liquid-work.ts";

/** The maximum number of messages that wait to be rendered. The templates of a waiting message stay in memory. */
const maximumWaiting = 500;

/**
 * The queue in which messages wait to be rendered. Rendering blocks the event loop, so only one message at a time is
 * rendered in a process.
 */
const queue = createFairQueue(1, maximumWaiting, "too many messages are waiting to be rendered");

/**
 * Returns the reason why a text cannot be used as a template; undefined if it can be used. The reason names an
 * unsupported tag or filter.
 */
export function faultIn(template: string): string | undefined {
  try {
    createTemplateEngine("text", createWorkMeter()).parse(template);
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/** Returns the message of the template engine's error, without the lines of the template that the engine appends. */
export function faultOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1).join("");
}

/**
 * Renders a template. If `kind` is `html`, every value is escaped unless its last filter is `raw`.
 * @throws {Error} if the template cannot be parsed, or if it exceeds the limits on work, text or lists for one message.
 */
export type RenderTemplate = (template: string, values: object, kind: "text" | "html") => Promise<string>;

/**
 * Runs a job that renders the templates of one message. The messages of one tenant are rendered one after the other.
 * Tenants take turns, so a tenant's next message waits for at most one message from each other tenant. Other work in
 * the process continues during the job.
 * @param meter counts the work for all templates of the message.
 * @throws {BusyError} if too many messages are waiting.
 */
export function renderMessage<T>(
  tenantId: string,
  job: (render: RenderTemplate) => Promise<T>,
  meter: WorkMeter = createWorkMeter(),
): Promise<T> {
  return queue.run(tenantId, 1, () => job((template, values, kind) => renderTemplate(template, values, kind, meter)));
}

async function renderTemplate(template: string, values: object, kind: "text" | "html", meter: WorkMeter): Promise<string> {
  // A template is parsed without interruption. Other work in the process runs before each template.
  await endOfTurn();
  const engine = createTemplateEngine(kind, meter);
  return String(await runSteps(engine.render(engine.parse(template), values), meter));
}

/**
 * Runs a generator and the generators that it yields, step by step. After each slice of the meter, other work in the
 * process runs.
 */
async function runSteps(root: Generator<unknown>, meter: WorkMeter): Promise<unknown> {
  const running: Generator<unknown>[] = [root];
  let result: unknown;
  let failure: { readonly error: unknown } | undefined;
  for (let current = running.at(-1); current !== undefined; current = running.at(-1)) {
    meter.charge(1);
    if (meter.isSliceUsed()) await endOfTurn();
    try {
      const step = failure === undefined ? current.next(result) : current.throw(failure.error);
      failure = undefined;
      if (step.done === true) running.pop();
      result = step.value;
      if (isGenerator(result)) {
        running.push(result);
        result = undefined;
      }
    } catch (error) {
      running.pop();
      failure = { error };
    }
  }
  if (failure !== undefined) throw failure.error;
  return result;
}

/**
 * Whether a value is a generator. Checks the same methods as the template engine, because other values, such as the
 * `forloop` object, have a method `next` as well.
 */
function isGenerator(value: unknown): value is Generator<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "next" in value &&
    typeof value.next === "function" &&
    "throw" in value &&
    typeof value.throw === "function" &&
    "return" in value &&
    typeof value.return === "function"
  );
}
