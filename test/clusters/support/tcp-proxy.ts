import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** How a connection ends: `cut` closes it in order (FIN), `reset` aborts it (RST). */
type Ending = "cut" | "reset";

/** A TCP proxy on a free loopback port, in front of one server. Tests can make the proxy cause network faults. */
export interface TcpProxy {
  /** The URL of the server, with the host and the port of the proxy. */
  readonly url: string;
  /** The number of open connections. */
  readonly connections: number;
  /** Forwards each chunk `milliseconds` after it arrived, in both directions and in order. 0 ends the delay. */
  delay(milliseconds: number): void;
  /**
   * Forwards nothing, in either direction. Connections stay open and new ones are accepted, so that both sides consider
   * them half-open. Neither side is notified if the other side closes a connection.
   */
  freeze(): void;
  /**
   * Ends the freeze. `all` delivers what both sides sent during the freeze, as after a pause of the server's machine.
   * `new` never forwards anything on connections that were opened before this call, as if a firewall had lost its
   * state.
   */
  resume(which: "all" | "new"): void;
  /** Ends all connections. */
  end(how: Ending): void;
  /** Accepts connections and ends them at once, until it is called with `false`. */
  refuse(isRefusing: boolean): void;
  /**
   * Forwards exactly `bytes` more bytes to the server, counted over all connections, and then ends the connection that
   * sent the last of them. The server receives a part of a statement, or a complete statement whose answer is lost.
   */
  endAfterBytes(bytes: number, how: Ending): PendingFault;
  /**
   * Forwards the next message to the server, waits until the server answers it, and ends the connection without
   * forwarding the answer. The server has run the statement, but the client cannot know that. A message is the data
   * that the client sends before it waits for an answer.
   * @param skip the number of earlier messages whose answers are still forwarded.
   */
  endBeforeAnswer(how: Ending, skip?: number): PendingFault;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/** A fault that ends one connection. If the test sets a later fault first, this fault never happens. */
interface PendingFault {
  readonly hasHappened: boolean;
  /** Resolves when the connection has ended. */
  readonly happened: Promise<void>;
  cancel(): void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Whether the proxy never forwards data on this connection again. */
  isForgotten: boolean;
  /** Called when the server sends its next answer, which the proxy does not forward. */
  loseAnswer: (() => void) | undefined;
}

interface Fault {
  readonly how: Ending;
  readonly when: "sent" | "answered";
  /** The number of bytes (`sent`) or messages (`answered`) that are still forwarded. */
  rest: number;
  readonly done: () => void;
}

/**
 * Starts a proxy in front of the host and port in the URL `to`. The proxy does not limit its buffers, so it is suitable
 * only for tests.
 */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const target = new URL(to);
  const pairs = new Set<Pair>();
  let delay = 0;
  let isFrozen = false;
  let isRefusing = false;
  let fault: Fault | undefined;

  const finish = ({ client, server }: Pair, how: Ending): void => {
    for (const socket of [client, server]) {
      if (how === "reset") socket.resetAndDestroy();
      else socket.destroySoon();
    }
  };

  /**
   * Returns the part of a chunk that the proxy forwards to the server. Ends the connection if the chunk triggers a
   * fault.
   */
  const applyFault = (pair: Pair, chunk: Buffer): Buffer => {
    if (fault === undefined) return chunk;
    const due = fault;
    if (due.when === "answered") {
      if (due.rest-- > 0) return chunk;
      fault = undefined;
      pair.loseAnswer = () => {
        finish(pair, due.how);
        due.done();
      };
      return chunk;
    }
    const part = chunk.subarray(0, due.rest);
    due.rest -= part.length;
    if (due.rest > 0) return part;
    fault = undefined;
    pair.isForgotten = true;
    pair.server.write(part, () => {
      finish(pair, due.how);
      due.done();
    });
    return chunk.subarray(0, 0);
  };

  const forward = (pair: Pair, from: Socket, into: Socket): void => {
    let last = Promise.resolve();
    const inOrder = (run: () => void): void => {
      const due = Date.now() + delay;
      last = last.then(async () => {
        const wait = due - Date.now();
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        run();
      });
    };
    from.on("data", (chunk: Buffer) => {
      inOrder(() => {
        if (pair.isForgotten || into.destroyed) return;
        if (from === pair.server && pair.loseAnswer !== undefined) return pair.loseAnswer();
        const part = from === pair.client ? applyFault(pair, chunk) : chunk;
        if (part.length > 0) into.write(part);
      });
    });
    from.on("error", () => {});
    from.on("close", (hadError) => {
      pairs.delete(pair);
      inOrder(() => (hadError ? into.resetAndDestroy() : into.destroySoon()));
    });
    if (isFrozen) from.pause();
  };

  const listener = createServer((client) => {
    if (isRefusing) {
      client.on("error", () => {});
      client.destroy();
      return;
    }
    client.setNoDelay(true);
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const pair: Pair = { client, server, isForgotten: false, loseAnswer: undefined };
    pairs.add(pair);
    forward(pair, client, server);
    forward(pair, server, client);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");

  const url = new URL(to);
  url.hostname = "127.0.0.1";
  // The address of a server that listens on a port is an AddressInfo.
  url.port = String((listener.address() as AddressInfo).port);
  const endAll = (how: Ending): void => {
    for (const pair of pairs) finish(pair, how);
  };
  const setFault = (how: Ending, when: Fault["when"], rest: number): PendingFault => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const state = { hasHappened: false, happened: promise, cancel: () => void (fault === next && (fault = undefined)) };
    const done = (): void => {
      state.hasHappened = true;
      resolve();
    };
    const next: Fault = { how, when, rest, done };
    fault = next;
    return state;
  };

  return {
    url: url.href,
    get connections() {
      return pairs.size;
    },
    delay: (milliseconds) => void (delay = milliseconds),
    freeze() {
      isFrozen = true;
      for (const { client, server } of pairs) {
        client.pause();
        server.pause();
      }
    },
    resume(which) {
      isFrozen = false;
      for (const pair of pairs) {
        pair.isForgotten ||= which === "new";
        pair.client.resume();
        pair.server.resume();
      }
    },
    end: endAll,
    refuse: (value) => void (isRefusing = value),
    endAfterBytes: (bytes, how) => setFault(how, "sent", bytes),
    endBeforeAnswer: (how, skip = 0) => setFault(how, "answered", skip),
    async close() {
      endAll("reset");
      listener.close();
      await once(listener, "close");
    },
  };
}
