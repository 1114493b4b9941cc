import { define } from "../definition.ts";
import { equal, NotApplicable, rejects } from "../failure.ts";

export const faultCases = [
  define(
    "refusals: a refused call rejects, and the adapter works on",
    "`defineAdapter` puts these checks in front of every adapter. A condition that is lost on the way would match everything.",
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
      // What the compiler would refuse, as it comes from code that nobody compiled.
      await rejects("delete with undefined in its condition", () => collection.delete({ ...where, ...undefinedIn(fields.text) }));
      await rejects("delete with an unknown field", () => collection.delete({ ...where, no_such_field: 1 }));
      await rejects("delete with an unknown operator", () => collection.delete({ ...where, [fields.text]: JSON.parse('{"like":"%"}') }));
      await rejects("delete with in []", () => collection.delete({ ...where, [fields.text]: { in: [] } }));
      await rejects("find without a limit", () => collection.find({ where, limit: Number.NaN }));
      await rejects("insert of nothing", () => collection.insert([]));
      await rejects("insert of a row without most fields", () => collection.insert([{ [fields.text]: "x" }]));
      await rejects("update without a change", () => collection.update(where, {}));
      equal("rows after the refusals", await s.find(), [row]);
    },
  ),

  define("close: calls after it reject", "A call that hangs holds a request, and with it the shutdown.", [], async (s, { openToClose }) => {
    if (openToClose === undefined) throw new NotApplicable("the host gave no openToClose");
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

  define("check: finds nothing missing", "It runs at every start.", [], async (_, { adapter }) => {
    if (adapter.check === undefined) throw new NotApplicable("the adapter has no check");
    await adapter.check();
  }),
];

/** A condition whose value was lost. The compiler knows that there is none, so it is made out of its sight. */
function undefinedIn(field: string): object {
  return Object.fromEntries([[field, undefined]]);
}
