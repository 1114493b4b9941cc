import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import type { DataAdapter } from "@postern/core/adapter";
import { describe } from "vitest";
import { testAccountRaces } from "./support/races-of-accounts.ts";
import { testRaces } from "./support/races.ts";
import { testDeliveryRaces } from "./support/races-of-deliveries.ts";
import { testLogoutRaces } from "./support/races-of-logouts.ts";
import { testFormRaces } from "./support/races-of-forms.ts";
import { testPushedRequestRaces } from "./support/races-of-pushed-requests.ts";
import { testLinkRaces } from "./support/races-of-links.ts";
import { testProofRaces } from "./support/races-of-proofs.ts";
import { testProviderRaces } from "./support/races-of-providers.ts";
import { testDeviceRaces } from "./support/races-of-devices.ts";
import { testDocumentRaces } from "./support/races-of-documents.ts";
import { testRegistrationRaces } from "./support/races-of-registrations.ts";
import { testUserRaces } from "./support/races-of-users.ts";

const stores: readonly (readonly [string, () => Promise<DataAdapter>])[] = [
  ["in memory", async () => createMemoryAdapter({ strict: true })],
  [
    "on SQLite",
    async () => {
      const data = await openDatabase("sqlite::memory:");
      await data.migrate();
      return data;
    },
  ],
];

describe.each(stores)("%s", (_, open) => {
  testRaces(open);
  testUserRaces(open);
  testAccountRaces(open);
  testLinkRaces(open);
  testFormRaces(open);
  testProviderRaces(open);
  testDocumentRaces(open);
  testDeviceRaces(open);
  testRegistrationRaces(open);
  testDeliveryRaces(open);
  testLogoutRaces(open);
  testPushedRequestRaces(open);
  testProofRaces(open);
});
