import { isConflict } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { assume, equal, equalInAnyOrder } from "../failure.ts";
import { answersFalse } from "./insert.ts";
import { throwsConflict } from "./update.ts";

/** Calls that are under way at the same time. */
const parallel = <T>(call: (n: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 32 }, (_, n) => call(n)));

export const raceCases = [
  define(
    "race: one of 32 inserts wins",
    "Two clicks on 'sign up' in one instant. A look before the insert does not help: both look first.",
    ["unique"],
    async (s) => {
      const row = s.row();
      await s.put(row);
      assume(!(await s.collection.insert([s.twin(row)])), answersFalse);
      const first = s.row();
      const byKey = await parallel(() => s.collection.insert([s.twin(first)]));
      equal("inserts of one key that answered true", byKey.filter(Boolean).length, 1);
      const second = s.row();
      const byUnique = await parallel(() => s.collection.insert([s.rival(second)]));
      equal("inserts of one unique key that answered true", byUnique.filter(Boolean).length, 1);
      equal("rows", await s.count(), 3);
    },
  ),

  define(
    "race: one of 32 guarded updates wins",
    "An authorization code, a refresh token or a one-time code presented twice at once gives two people a session.",
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
    "race: 32 additions all count",
    "Five wrong tries end a one-time code; tries that overwrite each other's count are free guesses.",
    ["integer"],
    async (s) => {
      const { integer } = s.fields;
      const row = s.row();
      await s.put(row);
      await parallel((n) => s.collection.update(s.key(row), { add: { [integer]: n + 1 } }));
      equal("the sum", (await s.stored(row))?.[integer], 528);
    },
  ),

  define("race: one of 32 updates takes a unique key", "Two accounts renamed to one address at once.", ["unique"], async (s) => {
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
  }),

  define("race: one of 32 deletes counts the row", "What is consumed by deleting it is consumed once.", ["text"], async (s) => {
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
    "race: an update does not bring a deleted row back",
    "A session that is used while it is revoked, a user who is changed while being deleted: a write of what was read before makes them live on.",
    ["text"],
    async (s) => {
      const rows = Array.from({ length: 32 }, () => s.row());
      await s.put(...rows);
      const answers = await parallel(async (n) => {
        const { [n]: row = {} } = rows;
        const update = () => s.collection.update(s.key(row), { set: { [s.fields.text]: "changed" } });
        const remove = () => s.collection.delete(s.key(row));
        // Either may come first.
        const [first, second] = await Promise.all(n % 2 === 0 ? [update(), remove()] : [remove(), update()]);
        return Number(n % 2 === 0 ? second : first);
      });
      equal("rows", await s.count(), 0);
      equal("deletes that counted their row", answers.filter((count) => count === 1).length, 32);
    },
  ),

  define(
    "race: updates of different fields all stay",
    "Somebody is blocked while they sign in: an update that writes the whole row back, as it was read, lifts the block.",
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
    "race: many calls at once all end",
    "On a pool of one connection, a call that takes a second one waits for ever.",
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
