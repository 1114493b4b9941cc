import { endOfTurn } from "../store/turn.ts";
import { createFairQueue } from "../identity/passwords/fair-queue.ts";
import { createTemplateEngine } from "./liquid-engine.ts";
import { createWorkMeter, type WorkMeter } from "./liquid-work.ts";

/** Messages that may wait to be rendered. They hold their templates in memory. */
const maximumWaiting = 500;

/**
 * Rendering is synchronous work, so one message at a time is rendered. The queue belongs to the process, as the event
 * loop does.
 */
const queue = createFairQueue(1, maximumWaiting, "too many messages are waiting for their templates");

/**
 * Returns why a text cannot be used as a template; undefined if it can. Names the tag or the filter that is not
 * supported.
 */
export function faultIn(template: string): string | undefined {
  try {
    createTemplateEngine("text", createWorkMeter()).parse(template);
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/** Returns the engine's message without the lines of the template. */
export function faultOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1).join("");
}

/**
 * Renders a template. In `html` every value is escaped unless its last filter is `raw`.
 * @throws {Error} if the template cannot be read, or takes more work, text or lists than the templates of one message
 * may.
 */
export type RenderTemplate = (template: string, values: object, kind: "text" | "html") => Promise<string>;

/**
 * Runs a job that renders the templates of one message. Messages of a tenant wait for each other; tenants take turns,
 * so a message waits for at most one message of each other tenant. Other work of the process continues during the job.
 * @param meter counts the work of all templates of the message.
 * @throws {BusyError} if too many messages wait.
 */
export function renderMessage<T>(
  tenantId: string,
  job: (render: RenderTemplate) => Promise<T>,
  meter: WorkMeter = createWorkMeter(),
): Promise<T> {
  return queue.run(tenantId, 1, () => job((template, values, kind) => renderTemplate(template, values, kind, meter)));
}

async function renderTemplate(template: string, values: object, kind: "text" | "html", meter: WorkMeter): Promise<string> {
  // A template is parsed without interruption, so each one gets a separate turn.
  await endOfTurn();
  const engine = createTemplateEngine(kind, meter);
  return String(await runSteps(engine.render(engine.parse(template), values), meter));
}

/**
 * Runs a generator and the generators that it yields, one step at a time, and lets other work of the process run after
 * each slice.
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

/** As the engine tells generators from values: the object of a loop has a method `next` as well. */
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
