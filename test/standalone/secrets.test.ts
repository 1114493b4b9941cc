import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServerSecrets, type ServerSecrets } from "../../examples/standalone/src/secrets.ts";
import { temporaryFolder } from "./start.ts";

test("generated secrets are stored, and secrets from the environment are not stored", () => {
  const file = join(temporaryFolder(), "new/folder/secrets.json");
  const first = openServerSecrets({ given: { ADMIN_PASSWORD: "given-for-now" }, file, inUse: false });
  expect(first.ADMIN_PASSWORD).toBe("given-for-now");
  expect(readFileSync(file, "utf8")).not.toContain("given-for-now");
  const { ADMIN_PASSWORD: generated, ...second } = openServerSecrets({ given: {}, file, inUse: false });
  expect(first).toMatchObject(second);
  expect(openServerSecrets({ given: {}, file, inUse: true }).ADMIN_PASSWORD).toBe(generated);
});

// No process can create a file in this folder, not even root.
test.skipIf(process.platform !== "linux")("the error for an unwritable file names the file and the variables that replace it", () => {
  const open = () =>
    openServerSecrets({
      given: { POSTERN_SECRET: "a-secret-that-stands-in-a-variable-0" },
      file: "/sys/postern/secrets.json",
      inUse: false,
    });
  expect(open).toThrow(/^\/sys\/postern\/secrets\.json cannot be written.*set ADMIN_CLIENT_ID, .*, WEB_CLIENT_SECRET\.$/);
  expect(open).toThrow(expect.objectContaining({ name: "StartError", exitCode: 1 }));
});

test("uses the secrets in a file that another process created after this process looked for it", () => {
  const file = join(temporaryFolder(), "secrets.json");
  const open = (given = {}): ServerSecrets => openServerSecrets({ given, file, inUse: false });

  let other: ServerSecrets | undefined;
  // `openServerSecrets` reads this variable after it looked for the file and before it creates the file.
  const own = open({
    get ADMIN_CLIENT_ID() {
      other ??= open();
      return undefined;
    },
  });

  expect(own).toEqual(other);
  expect(open()).toEqual(other);
});
