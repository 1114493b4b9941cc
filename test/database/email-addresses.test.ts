import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { list } from "../support/api.ts";
import { testEmailAddresses } from "../support/email-addresses.ts";
import { openService } from "../support/flow.ts";

testEmailAddresses(async () => createMemoryAdapter({ strict: true }));

test("the seed creates one user for both spellings of an internationalized domain", async () => {
  const { postern, manage } = await openService();
  for (const email of ["admin+x/y@bücher.example", "admin+x/y@xn--bcher-kva.example"])
    await postern.seed({ tenantId: "main", users: [{ email, password: "Correct-horse-7" }] });
  expect(list(await manage("GET", "/api/v2/users?q=email:admin*"))).toMatchObject([{ email: "admin+x/y@xn--bcher-kva.example" }]);
});
