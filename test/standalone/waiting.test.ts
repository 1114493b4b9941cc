import { expect, test } from "vitest";
import { startServer } from "../../examples/standalone/src/server.ts";

test("a server that stops waits, up to a limit, for work that continues after a response, such as sending an email", async () => {
  const server = await startServer("127.0.0.1", 0);
  const delivery = Promise.withResolvers<void>();
  server.serve(async (_request, { waitUntil }) => {
    waitUntil?.(delivery.promise);
    return new Response("sent", { headers: { connection: "close" } });
  });
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("sent");
  let stopped = false;
  const stopping = server.drain(60_000).then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  delivery.resolve();
  await stopping;

  const hanging = await startServer("127.0.0.1", 0);
  hanging.serve(async (_request, { waitUntil }) => {
    waitUntil?.(new Promise(() => {}));
    return new Response("sent", { headers: { connection: "close" } });
  });
  await (await fetch(`http://127.0.0.1:${hanging.port}/`)).text();
  await hanging.drain(50);
});
