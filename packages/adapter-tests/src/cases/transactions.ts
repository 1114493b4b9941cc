import { define, transactionOf } from "../definition.ts";
import { assume, equal, rejects } from "../failure.ts";
import { throwsConflict } from "./update.ts";

export const transactionCases = [
  define(
    "transaction: commits its writes and returns the result of its function",
    "A transaction must have an effect, and its caller needs the result.",
    ["text"],
    async (s, { adapter }) => {
      const transaction = transactionOf(adapter);
      const { text } = s.fields;
      const [changed, removed, added] = [s.row(), s.row(), s.row({ [text]: "added" })];
      await s.put(changed, removed);
      const result = await transaction(async (tx) => {
        const inside = s.through(tx);
        await inside.put(added);
        await inside.collection.update(inside.key(changed), { set: { [text]: "changed" } });
        await inside.collection.delete(inside.key(removed));
        return { answer: 42 };
      });
      equal("the result", result, { answer: 42 });
      equal("the rows", await s.values(text), ["added", "changed"]);
    },
  ),

  define(
    "transaction: rolls back when its function rejects",
    "A partial sign-up would block an email address forever.",
    ["text"],
    async (s, { adapter }) => {
      const transaction = transactionOf(adapter);
      const { text } = s.fields;
      const [changed, removed, added] = [s.row({ [text]: "one" }), s.row({ [text]: "two" }), s.row({ [text]: "added" })];
      await s.put(changed, removed);
      const failure = new Error("the function's own");
      const failing = () =>
        transaction(async (tx) => {
          const inside = s.through(tx);
          await inside.put(added);
          await inside.collection.update(inside.key(changed), { set: { [text]: "changed" } });
          await inside.collection.delete(inside.key(removed));
          throw failure;
        });
      await rejects("a transaction whose function rejects", failing, (error) => error === failure);
      equal("the rows", await s.values(text), ["one", "two"]);
      equal("a row whose deletion was rolled back", await s.stored(removed), removed);
      await s.put(added);
      equal("a row whose insert was rolled back, inserted again", await s.stored(added), added);
    },
  ),

  define(
    "transaction: reads its own writes",
    "A later step of a transaction depends on an earlier one.",
    ["text"],
    async (s, { adapter }) => {
      const { text } = s.fields;
      const read = await transactionOf(adapter)(async (tx) => {
        const inside = s.through(tx);
        await inside.put(...inside.rows(text, ["a", "b"]));
        await inside.collection.update(inside.where({ [text]: "a" }), { set: { [text]: "c" } });
        return [await inside.values(text), await inside.count()];
      });
      equal("rows and their count, inside", read, [["b", "c"], 2]);
    },
  ),

  define(
    "transaction: continues after a conflict of an insert",
    "On some databases, all statements after a failed one fail. A conflict is a result, not a failure.",
    ["unique", "text"],
    async (s, { adapter }) => {
      const { text } = s.fields;
      const stored = s.row({ [text]: "before" });
      await s.put(stored);
      await transactionOf(adapter)(async (tx) => {
        const inside = s.through(tx);
        await inside.put(s.row({ [text]: "written before it" }));
        await inside.collection.insert([s.rival(stored)]);
        await inside.find();
        await inside.put(s.row({ [text]: "written after it" }));
      });
      equal("rows written before the conflict", await s.count({ [text]: "written before it" }), 1);
      equal("rows written after it", await s.count({ [text]: "written after it" }), 1);
    },
  ),

  define(
    "transaction: continues after a conflict of an update",
    "The caller catches the ConflictError and continues.",
    ["unique", "text"],
    async (s, { adapter }) => {
      const transaction = transactionOf(adapter);
      const { unique, text } = s.fields;
      const [one, two] = [s.row({ [unique]: "one" }), s.row({ [unique]: "two" })];
      const rival = { ...s.rival(one), [unique]: "rival" };
      await s.put(one, two, rival);
      const take = (inside: typeof s) => inside.collection.update(s.key(rival), { set: { [unique]: "one" } });
      assume(
        await take(s).then(
          () => false,
          () => true,
        ),
        throwsConflict,
      );
      await transaction(async (tx) => {
        const inside = s.through(tx);
        await inside.collection.update(s.key(one), { set: { [text]: "before" } });
        await take(inside).catch(() => {});
        await inside.collection.update(s.key(two), { set: { [text]: "after" } });
      });
      equal("a row changed before the conflict", (await s.stored(one))?.[text], "before");
      equal("a row changed after it", (await s.stored(two))?.[text], "after");
    },
  ),

  define(
    "transaction: many concurrent transactions and calls all complete",
    "With a pool of one connection, a transaction that needs a second connection waits for itself.",
    ["integer", "text"],
    async (s, { adapter }) => {
      const transaction = transactionOf(adapter);
      const { integer, text } = s.fields;
      const row = s.row({ [text]: "counter" });
      await s.put(row);
      const one = (n: number) =>
        transaction(async (tx) => {
          const inside = s.through(tx);
          await Promise.all([inside.find(), inside.count(), inside.put(s.row({ [text]: `added ${n}` }))]);
          await inside.collection.update(inside.key(row), { add: { [integer]: 1 } });
        });
      await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? one(n) : s.count())));
      equal("what the transactions added", (await s.stored(row))?.[integer], 6);
      equal("rows", await s.count(), 7);
    },
  ),
];
