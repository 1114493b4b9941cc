import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSecrets, type Secrets } from "../../examples/standalone/src/secrets.ts";
import { temporaryFolder } from "./start.ts";

test("what is generated once is kept, what is given is not", () => {
  const file = join(temporaryFolder(), "new/folder/secrets.json");
  const first = openSecrets({ given: { ADMIN_PASSWORD: "given-for-now" }, file, inUse: false });
  expect(first.ADMIN_PASSWORD).toBe("given-for-now");
  expect(readFileSync(file, "utf8")).not.toContain("given-for-now");
  const { ADMIN_PASSWORD: generated, ...second } = openSecrets({ given: {}, file, inUse: false });
  expect(first).toMatchObject(second);
  expect(openSecrets({ given: {}, file, inUse: true }).ADMIN_PASSWORD).toBe(generated);
});

// Nobody can make a file there, whatever rights the tests have.
test.skipIf(process.platform !== "linux")("a file that cannot be written is named, with the variables that make it unnecessary", () => {
  const open = () =>
    openSecrets({ given: { POSTERN_SECRET: "a-secret-that-stands-in-a-variable-0" }, file: "/sys/postern/secrets.json", inUse: false });
  expect(open).toThrow(/^\/sys\/postern\/secrets\.json cannot be written.*set ADMIN_CLIENT_ID, .*, WEB_CLIENT_SECRET\.$/);
  expect(open).toThrow(expect.objectContaining({ name: "StartError", exitCode: 1 }));
});

test("uses the secrets of another start that created the file after this one found none", () => {
  const file = join(temporaryFolder(), "secrets.json");
  const open = (given = {}): Secrets => openSecrets({ given, file, inUse: false });

  let other: Secrets | undefined;
  // This variable is read between the search for the file and its creation.
  const own = open({
    get ADMIN_CLIENT_ID() {
      other ??= open();
      return undefined;
    },
  });

  expect(own).toEqual(other);
  expect(open()).toEqual(other);
});
