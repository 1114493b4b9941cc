import { isConflict } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { assume, equal, equalInAnyOrder } from "../failure.ts";
import { returnsFalse } from "./insert.ts";
import { throwsConflict } from "./update.ts";

/** Starts 32 concurrent calls. */
const parallel = <T>(call: (n: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 32 }, (_, n) => call(n)));

export const raceCases = [
  define(
    "race: one of 32 inserts wins",
    "Two users sign up at the same time. A query before the insert does not help, because both requests query before either inserts.",
    ["unique"],
    async (s) => {
      const row = s.row();
      await s.put(row);
      assume(!(await s.collection.insert([s.twin(row)])), returnsFalse);
      const first = s.row();
      const byKey = await parallel(() => s.collection.insert([s.twin(first)]));
      equal("inserts of one key that returned true", byKey.filter(Boolean).length, 1);
      const second = s.row();
      const byUnique = await parallel(() => s.collection.insert([s.rival(second)]));
      equal("inserts of one unique key that returned true", byUnique.filter(Boolean).length, 1);
      equal("rows", await s.count(), 3);
    },
  ),

  define(
    "race: one of 32 conditional updates wins",
    "An authorization code, a refresh token or a one-time code that is used twice at the same time must not create two sessions.",
    ["nullableInstant", "text"],
    async (s) => {
      const { nullableInstant: guard, text } = s.fields;
      const row = s.row({ [guard]: null });
      await s.put(row);
      const answers = await parallel((n) =>
        s.collection.update({ ...s.key(row), [guard]: null }, { set: { [guard]: 1, [text]: `winner ${n}` } }),
      );
      equal("updates that counted the row", answers.filter((count) => Number(count) > 0).length, 1);
      equal("the winner", (await s.stored(row))?.[text], `winner ${answers.map(Number).indexOf(1)}`);
    },
  ),

  define(
    "race: all of 32 additions count",
    "Five wrong attempts invalidate a one-time code. Attempts that overwrite each other's count are not limited.",
    ["integer"],
    async (s) => {
      const { integer } = s.fields;
      const row = s.row();
      await s.put(row);
      await parallel((n) => s.collection.update(s.key(row), { add: { [integer]: n + 1 } }));
      equal("the sum", (await s.stored(row))?.[integer], 528);
    },
  ),

  define(
    "race: one of 32 updates gets a unique key",
    "Two accounts are changed to the same email address at the same time.",
    ["unique"],
    async (s) => {
      const { unique } = s.fields;
      const first = s.row({ [unique]: "row 0" });
      const rows = [first, ...Array.from({ length: 31 }, (_, n) => ({ ...s.rival(first), [unique]: `row ${n + 1}` }))];
      await s.put(...rows);
      const rename = async (n: number, name: string): Promise<string> =>
        s.collection.update(s.key(rows[n] ?? first), { set: { [unique]: name } }).then(
          (count) => `changed ${count}`,
          (error: unknown) => (isConflict(error) ? "conflict" : String(error)),
        );
      assume((await rename(0, "row 1")) === "conflict", throwsConflict);
      const answers = await parallel((n) => rename(n, "the one"));
      equalInAnyOrder("answers", answers, ["changed 1", ...Array.from({ length: 31 }, () => "conflict")]);
      equal("rows with the name", await s.count({ [unique]: "the one" }), 1);
    },
  ),

  define("race: one of 32 deletes counts the row", "A row that is redeemed by its deletion is redeemed once.", ["text"], async (s) => {
    const row = s.row();
    await s.put(row, s.row());
    const answers = await parallel(() => s.collection.delete(s.key(row)));
    equal(
      "rows that 32 deletes counted",
      answers.reduce((sum, count) => sum + Number(count), 0),
      1,
    );
  }),

  define(
    "race: an update does not restore a deleted row",
    "A session is used while it is revoked, or a user is changed while it is deleted. Writing back the whole row that was read would restore the deleted row.",
    ["text"],
    async (s) => {
      const rows = Array.from({ length: 32 }, () => s.row());
      await s.put(...rows);
      const answers = await parallel(async (n) => {
        const { [n]: row = {} } = rows;
        const update = () => s.collection.update(s.key(row), { set: { [s.fields.text]: "changed" } });
        const remove = () => s.collection.delete(s.key(row));
        // For half of the rows, the update starts first; for the other half, the delete.
        const [first, second] = await Promise.all(n % 2 === 0 ? [update(), remove()] : [remove(), update()]);
        return Number(n % 2 === 0 ? second : first);
      });
      equal("rows", await s.count(), 0);
      equal("deletes that counted their row", answers.filter((count) => count === 1).length, 32);
    },
  ),

  define(
    "race: updates of different fields are all preserved",
    "A user is blocked during a sign-in. An update that writes back the whole row would remove the block.",
    ["text", "boolean", "integer", "object"],
    async (s) => {
      const { text, boolean, integer, object } = s.fields;
      const rows = Array.from({ length: 8 }, () => s.row());
      await s.put(...rows);
      const sets = [{ [text]: "set" }, { [boolean]: true }, { [integer]: 7 }, { [object]: { set: true } }];
      await Promise.all(rows.flatMap((row) => sets.map((set) => s.collection.update(s.key(row), { set }))));
      for (const row of rows) equal("a row that four updates changed", await s.stored(row), Object.assign({}, row, ...sets));
    },
  ),

  define(
    "race: many concurrent calls all complete",
    "With a pool of one connection, a call that needs a second connection waits forever.",
    ["integer", "text"],
    async (s) => {
      const { integer, text } = s.fields;
      await s.put(s.row({ [text]: "row" }));
      await parallel(async (n) => {
        await s.put(s.row({ [text]: `row ${n}` }));
        await Promise.all([
          s.find({ [text]: `row ${n}` }),
          s.count(),
          s.collection.update(s.where({ [text]: `row ${n}` }), { add: { [integer]: 1 } }),
          s.collection.insert([s.row({ [text]: "more" })]),
        ]);
        await s.collection.delete(s.where({ [text]: `row ${n}` }));
      });
      equal("rows", await s.count(), 33);
    },
  ),
];
