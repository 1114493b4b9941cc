import { connect, type Socket } from "node:net";
import type { LoadRequest, RequestFactory, Facts, ServerName, ConnectionState } from "../operation.ts";
import { benchOperations } from "../operations.ts";

/**
 * Generates the load in a separate process. Each connection sends its next request when it has received the response to
 * the last one, until the time or the number of requests is reached. It implements only the necessary parts of
 * HTTP/1.1. A complete client would need more CPU than the fastest servers here, and would distort their figures.
 * ⏎ Receives one {@link LoadOrder} per message and sends a {@link LoadResult} for each.
 */
export interface LoadOrder {
  readonly server: ServerName;
  readonly operation: string;
  readonly port: number;
  readonly facts: Facts;
  readonly connections: number;
  readonly seconds: number;
  readonly atMost: number;
  /** The index of the first request and the number of the first connection. */
  readonly numbers: { readonly first: number; readonly connection: number };
}

/** The result of a {@link LoadOrder}. Times are in milliseconds. */
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
  const operation = benchOperations.find(({ name }) => name === order.operation);
  const ask = operation?.requests[order.server];
  if (operation === undefined || ask === undefined) throw new Error(`${order.server} has no ${order.operation}`);
  const load = new Load(order, ask, operation.constant === true);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: order.connections }, (_, i) => load.connection(order.numbers.connection + i)));
  const elapsed = performance.now() - startedAt;
  const sortedLatencies = load.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sortedLatencies[Math.min(sortedLatencies.length - 1, Math.floor(sortedLatencies.length * share))] ?? 0;
  return {
    requests: load.completed,
    failures: load.failures,
    ...(load.firstFailure !== undefined && { firstFailure: load.firstFailure }),
    elapsed,
    p50: at(0.5),
    p99: at(0.99),
  };
}

class Load {
  readonly latencies: number[] = [];
  completed = 0;
  failures = 0;
  firstFailure: string | undefined;
  readonly #order: LoadOrder;
  readonly #ask: RequestFactory;
  readonly #constant: Buffer | undefined;
  readonly #until: number;
  #sent = 0;

  constructor(order: LoadOrder, ask: RequestFactory, constant: boolean) {
    this.#order = order;
    this.#ask = ask;
    this.#constant = constant ? serialize(ask(order.facts, 0, { connection: 0, answer: undefined }), order.facts) : undefined;
    this.#until = performance.now() + order.seconds * 1000;
  }

  #next(turn: ConnectionState): Buffer | undefined {
    if (this.#sent >= this.#order.atMost || performance.now() >= this.#until) return undefined;
    const i = this.#order.numbers.first + this.#sent++;
    return this.#constant ?? serialize(this.#ask(this.#order.facts, i, turn), this.#order.facts);
  }

  /** Runs one connection until the end of the load. Reconnects if the server closes it. */
  async connection(number: number): Promise<void> {
    const turn: { connection: number; answer: string | undefined } = { connection: number, answer: undefined };
    for (let again = true; again;) again = await this.#socket(connect(this.#order.port, "127.0.0.1"), turn);
  }

  /** @returns `true` if the server closed the connection before the load ended. */
  #socket(socket: Socket, turn: { answer: string | undefined } & ConnectionState): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let received: Buffer = Buffer.alloc(0);
      let startedAt = 0;
      socket.setNoDelay(true);
      const send = (): void => {
        const bytes = this.#next(turn);
        if (bytes === undefined) {
          socket.destroy();
          return resolve(false);
        }
        startedAt = performance.now();
        socket.write(bytes);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("close", () => resolve(true));
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const length = responseLength(received);
        if (length === undefined || received.length < length) return;
        this.#count(received, performance.now() - startedAt);
        // The response is read only if the next request depends on it.
        if (this.#constant === undefined) turn.answer = received.toString("utf8", received.indexOf("\r\n\r\n") + 4, length);
        received = received.subarray(length);
        send();
      });
    });
  }

  #count(answer: Buffer, latency: number): void {
    this.completed++;
    this.latencies.push(latency);
    // "HTTP/1.1 2" is the start of every successful response.
    if (answer[9] === 0x32) return;
    this.failures++;
    this.firstFailure ??= answer.toString("latin1", 0, 600);
  }
}

function serialize({ method, path, headers = {}, body }: LoadRequest, { issuer }: Facts): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(issuer).host}`, "user-agent: bench"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}

/** Returns the length of the response at the start of `bytes`, or `undefined` if it is incomplete. */
function responseLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? [];
  if (length !== undefined) return end + 4 + Number(length);
  if (!head.includes("\r\ntransfer-encoding: chunked")) return end + 4;
  const last = bytes.indexOf("\r\n0\r\n\r\n", end + 2);
  return last < 0 ? undefined : last + 7;
}
