import { connect, type Socket } from "node:net";
import type { Ask, Asking, Facts, ServerName, Turn } from "../operation.ts";
import { operations } from "../operations.ts";

/**
 * The load, in a process of its own: so many connections that each send a request when the last one is answered, until time or number is up.
 * It speaks just enough HTTP/1.1 for that. A client that did more would cost more than the fastest servers here, and their figures would be its own.
 *
 * Takes one order a message, answers each with a {@link LoadResult}.
 */
export interface LoadOrder {
  readonly server: ServerName;
  readonly operation: string;
  readonly port: number;
  readonly facts: Facts;
  readonly connections: number;
  readonly seconds: number;
  readonly atMost: number;
  /** `i` of the first request, and the number of the first connection. */
  readonly numbers: { readonly first: number; readonly connection: number };
}

/** What came of a {@link LoadOrder}. Milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly failures: number;
  readonly firstFailure?: string;
  readonly elapsed: number;
  readonly p50: number;
  readonly p99: number;
}

process.on("message", (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});

async function run(order: LoadOrder): Promise<LoadResult> {
  const operation = operations.find(({ name }) => name === order.operation);
  const ask = operation?.asks[order.server];
  if (operation === undefined || ask === undefined) throw new Error(`${order.server} has no ${order.operation}`);
  const load = new Load(order, ask, operation.constant === true);
  const began = performance.now();
  await Promise.all(Array.from({ length: order.connections }, (_, i) => load.connection(order.numbers.connection + i)));
  const elapsed = performance.now() - began;
  const sorted = load.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requests: load.answered,
    failures: load.failures,
    ...(load.firstFailure !== undefined && { firstFailure: load.firstFailure }),
    elapsed,
    p50: at(0.5),
    p99: at(0.99),
  };
}

class Load {
  readonly latencies: number[] = [];
  answered = 0;
  failures = 0;
  firstFailure: string | undefined;
  readonly #order: LoadOrder;
  readonly #ask: Asking;
  readonly #constant: Buffer | undefined;
  readonly #until: number;
  #sent = 0;

  constructor(order: LoadOrder, ask: Asking, constant: boolean) {
    this.#order = order;
    this.#ask = ask;
    this.#constant = constant ? written(ask(order.facts, 0, { connection: 0, answer: undefined }), order.facts) : undefined;
    this.#until = performance.now() + order.seconds * 1000;
  }

  #next(turn: Turn): Buffer | undefined {
    if (this.#sent >= this.#order.atMost || performance.now() >= this.#until) return undefined;
    const i = this.#order.numbers.first + this.#sent++;
    return this.#constant ?? written(this.#ask(this.#order.facts, i, turn), this.#order.facts);
  }

  /** One connection's life. A server that closes it gets a new one. */
  async connection(number: number): Promise<void> {
    const turn: { connection: number; answer: string | undefined } = { connection: number, answer: undefined };
    for (let again = true; again;) again = await this.#socket(connect(this.#order.port, "127.0.0.1"), turn);
  }

  /** @returns whether the server ended the connection before the load was over. */
  #socket(socket: Socket, turn: { answer: string | undefined } & Turn): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0);
      let began = 0;
      socket.setNoDelay(true);
      const send = (): void => {
        const bytes = this.#next(turn);
        if (bytes === undefined) {
          socket.destroy();
          return resolve(false);
        }
        began = performance.now();
        socket.write(bytes);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("close", () => resolve(true));
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const length = answerLength(received);
        if (length === undefined || received.length < length) return;
        this.#count(received, performance.now() - began);
        // Only who asks differently each time looks at it.
        if (this.#constant === undefined) turn.answer = received.toString("utf8", received.indexOf("\r\n\r\n") + 4, length);
        received = received.subarray(length);
        send();
      });
    });
  }

  #count(answer: Buffer, latency: number): void {
    this.answered++;
    this.latencies.push(latency);
    // "HTTP/1.1 2": every success.
    if (answer[9] === 0x32) return;
    this.failures++;
    this.firstFailure ??= answer.toString("latin1", 0, 600);
  }
}

function written({ method, path, headers = {}, body }: Ask, { issuer }: Facts): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(issuer).host}`, "user-agent: bench"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}

/** How long the answer is that begins here; undefined while that is not known yet. */
function answerLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? [];
  if (length !== undefined) return end + 4 + Number(length);
  if (!head.includes("\r\ntransfer-encoding: chunked")) return end + 4;
  const last = bytes.indexOf("\r\n0\r\n\r\n", end + 2);
  return last < 0 ? undefined : last + 7;
}
