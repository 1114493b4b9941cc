import { expect, test } from "vitest";
import { startServer } from "./src/server.ts";

test("responds with 500 if the handler rejects, and continues to serve requests", async () => {
  const unhandled: unknown[] = [];
  const recordRejection = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", recordRejection);
  const server = await startServer("127.0.0.1", 0);
  try {
    server.serve(async (request) => {
      if (request.url.endsWith("/broken")) throw new Error("broken");
      return new Response("fine");
    });
    const address = `http://127.0.0.1:${server.port}`;
    expect((await fetch(`${address}/broken`)).status).toBe(500);
    expect(await (await fetch(address)).text()).toBe("fine");
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", recordRejection);
    await server.drain(1000);
  }
});
