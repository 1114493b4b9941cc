import type { DataAdapter } from "@postern/core";
import { test } from "vitest";
import { bodyWith, placesOf } from "../../packages/isolation-tests/src/bodies.ts";
import { descriptions } from "./description.ts";
import { hostileHeaders, hostileJson, hostileQueries, hostileSegments } from "./hostile.ts";
import { recordsOf } from "../../packages/isolation-tests/src/records.ts";
import { openSweptService } from "./service.ts";

/** Every operation of the Management API answers whatever comes, with what it declares. @param open makes an empty store: whatever one operation does harms no other. */
export function hostileRequestsOn(open: () => Promise<DataAdapter>): void {
  const { document, operations: all } = descriptions.management;
  const operations = all.filter(({ scopes }) => scopes.length > 0);
  test.each(operations)("$title is never at a loss for an answer, whatever comes", { timeout: 120_000 }, async (operation) => {
    const { parameters, body } = operation;
    const service = await openSweptService(await open());
    const records = recordsOf(service.party("main"), descriptions.management);
    const request = await records.request(operation);
    let token = await service.tokenOf("main");
    const send = async (more: object): Promise<void> => {
      const headers = { authorization: `Bearer ${token}`, ...("headers" in more && Object(more.headers)) };
      const { status } = await service.send(operation, { ...request, ...more, headers });
      // The key that signed the token may have been the victim.
      if (status === 401) token = await service.tokenOf("main");
    };

    for (const { name, in: place } of parameters) {
      if (place === "query") for (const [, query] of hostileQueries(name)) await send({ query: `?${query}` });
      if (place === "header") for (const [, value] of hostileHeaders) await send({ headers: { [name]: value } });
      if (place !== "path") continue;
      for (const [, segment] of hostileSegments) await send({ path: await records.fill(operation.path, { [name]: segment }) });
    }
    for (const [, query] of hostileQueries("nonsense")) await send({ query: `?${query}` });
    if (body === undefined) return;
    const known = await records.known(body.schema);
    for (const { place } of placesOf(document, body.schema))
      for (const [, value] of hostileJson) await send({ body: bodyWith(document, body.schema, known, place, value) });
  });
}
