import { define } from "../definition.ts";
import { equal, NotApplicable, rejects } from "../failure.ts";

export const faultCases = [
  define(
    "rejections: an invalid call rejects, and the adapter keeps working",
    "`defineAdapter` adds these checks to every adapter. If a condition were lost, the call would match every row.",
    ["text"],
    async (s) => {
      const { collection, fields } = s;
      const row = s.row({ [fields.text]: "stays" });
      await s.put(row);
      const where = s.where();
      await rejects("find with an empty condition", () => collection.find({ where: {}, limit: 1 }));
      await rejects("count with an empty condition", () => collection.count({}));
      await rejects("update with an empty condition", () => collection.update({}, { set: { [fields.text]: "x" } }));
      await rejects("delete with an empty condition", () => collection.delete({}));
      // The compiler would reject these calls, but untyped code can make them.
      await rejects("delete with undefined in its condition", () => collection.delete({ ...where, ...undefinedIn(fields.text) }));
      await rejects("delete with an unknown field", () => collection.delete({ ...where, no_such_field: 1 }));
      await rejects("delete with an unknown operator", () => collection.delete({ ...where, [fields.text]: JSON.parse('{"like":"%"}') }));
      await rejects("delete with in []", () => collection.delete({ ...where, [fields.text]: { in: [] } }));
      await rejects("find without a limit", () => collection.find({ where, limit: Number.NaN }));
      await rejects("insert of nothing", () => collection.insert([]));
      await rejects("insert of a row without most fields", () => collection.insert([{ [fields.text]: "x" }]));
      await rejects("update without a change", () => collection.update(where, {}));
      equal("rows after the rejections", await s.find(), [row]);
    },
  ),

  define("close: later calls reject", "A call that hangs delays a request, and so the shutdown.", [], async (s, { openToClose }) => {
    if (openToClose === undefined) throw new NotApplicable("the option openToClose is not set");
    const adapter = await openToClose();
    if (adapter.close === undefined) throw new NotApplicable("the adapter has nothing to close");
    const closing = s.through(adapter.collections);
    await closing.count();
    await adapter.close();
    await rejects("insert", () => closing.collection.insert([s.row()]));
    await rejects("find", () => closing.find());
    await rejects("count", () => closing.count());
    await rejects("delete", () => closing.collection.delete(s.where()));
  }),

  define("check: passes on a migrated database", "Postern calls `check` each time that it starts.", [], async (_, { adapter }) => {
    if (adapter.check === undefined) throw new NotApplicable("the adapter has no check");
    await adapter.check();
  }),
];

/** Returns a condition with an undefined value, which the compiler would reject if it were written directly. */
function undefinedIn(field: string): object {
  return Object.fromEntries([[field, undefined]]);
}
