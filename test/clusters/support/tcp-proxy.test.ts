import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

/** A server that sends everything back in upper case. */
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    received += chunk.toString();
    socket.write(chunk.toString().toUpperCase());
  });
});
let received = "";
let proxy: TcpProxy;

interface Client {
  readonly socket: Socket;
  /** The received text, and how the connection ended. */
  readonly state: { text: string; ending: string };
}

async function open(): Promise<Client> {
  const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  const state = { text: "", ending: "" };
  socket.on("data", (chunk) => (state.text += chunk.toString()));
  socket.on("error", (error: NodeJS.ErrnoException) => (state.ending = error.code ?? ""));
  socket.on("close", () => (state.ending ||= "closed"));
  await once(socket, "connect");
  return { socket, state };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeEach(async () => {
  received = "";
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startTcpProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}/name`);
});
afterEach(async () => {
  await proxy.close();
  server.close();
  await once(server, "close");
});

describe("the TCP proxy", () => {
  test("forwards in both directions and keeps the rest of the URL", async () => {
    const { socket, state } = await open();
    socket.write("hello");
    await expect.poll(() => state.text).toBe("HELLO");
    expect(new URL(proxy.url).pathname).toBe("/name");
    socket.end();
    await expect.poll(() => proxy.connections).toBe(0);
  });

  test("delays data in each direction, and keeps its order when the delay ends", async () => {
    const { socket, state } = await open();
    proxy.delay(100);
    const start = performance.now();
    socket.write("slow");
    await expect.poll(() => received).toBe("slow");
    proxy.delay(0);
    socket.write("fast");
    await expect.poll(() => state.text).toBe("SLOWFAST");
    expect(performance.now() - start).toBeGreaterThan(95);
  });

  test("delivers all data that was sent during a freeze when all connections resume", async () => {
    const { socket, state } = await open();
    proxy.freeze();
    socket.write("later");
    const during = await open();
    during.socket.write("new");
    await pause(100);
    expect([received, state.ending, during.state.ending]).toEqual(["", "", ""]);
    proxy.resume("all");
    await expect.poll(() => [state.text, during.state.text]).toEqual(["LATER", "NEW"]);
  });

  test("forwards nothing on old connections when only new ones resume", async () => {
    const old = await open();
    proxy.freeze();
    old.socket.write("lost");
    await pause(20);
    proxy.resume("new");
    const { socket, state } = await open();
    socket.write("new");
    await expect.poll(() => state.text).toBe("NEW");
    old.socket.write("still lost");
    await pause(50);
    expect([received, old.state.text, old.state.ending]).toEqual(["new", "", ""]);
  });

  test("cuts and resets all connections", async () => {
    for (const [how, ending] of [
      ["cut", "closed"],
      ["reset", "ECONNRESET"],
    ] as const) {
      const { socket, state } = await open();
      socket.write("x");
      await expect.poll(() => state.text).toBe("X");
      proxy.end(how);
      await expect.poll(() => state.ending).toBe(ending);
    }
  });

  test("ends new connections at once while it refuses connections", async () => {
    proxy.refuse(true);
    const { state } = await open();
    await expect.poll(() => state.ending).not.toBe("");
    proxy.refuse(false);
    const { socket, state: next } = await open();
    socket.write("x");
    await expect.poll(() => next.text).toBe("X");
  });

  test("ends a connection after exactly the given number of bytes", async () => {
    const { socket, state } = await open();
    const { happened } = proxy.endAfterBytes(4, "cut");
    socket.write("123");
    await expect.poll(() => state.text).toBe("123");
    socket.write("456");
    await happened;
    await expect.poll(() => state.ending).not.toBe("");
    expect([received, state.text]).toEqual(["1234", "123"]);
  });

  test("ends a connection between a statement and its answer", async () => {
    const { socket, state } = await open();
    const fault = proxy.endBeforeAnswer("reset", 1);
    socket.write("one");
    await expect.poll(() => state.text).toBe("ONE");
    expect(fault.hasHappened).toBe(false);
    socket.write("two");
    await fault.happened;
    await expect.poll(() => state.ending).toBe("ECONNRESET");
    expect([received, state.text, fault.hasHappened]).toEqual(["onetwo", "ONE", true]);
  });

  test("ends no connection after the test cancelled the fault", async () => {
    const { socket, state } = await open();
    proxy.endBeforeAnswer("cut").cancel();
    socket.write("x");
    await expect.poll(() => state.text).toBe("X");
  });
});
