import { closestName } from "./closest-name.ts";
import type { Finding } from "./finding.ts";
import { formatPath } from "../model/issue-text.ts";
import type { DocumentedOption, OptionPath } from "./option-path.ts";
import { groupOf } from "./option-schemas.ts";

/** Creates the finding for an option that does not exist. The cure names the option that was most likely meant. */
export function unknownOption(root: DocumentedOption, group: DocumentedOption, name: string): Finding {
  const option = formatPath([...group.path, name]);
  return {
    check: "option",
    level: "error",
    option,
    message: `unknown option '${option}'`,
    cure: cureOf(root, group, name),
    page: group.docs.page,
  };
}

/**
 * Returns a suggestion for an unknown option. Looks for the same name in other groups, then for a similar name in this
 * group, then for a similar name in other groups.
 */
function cureOf(root: DocumentedOption, group: DocumentedOption, name: string): string {
  const names = Object.keys(groupOf(group.schema)?.shape ?? {});
  const elsewhere = optionsIn(root);
  const places = (lastName: string | undefined): readonly string[] =>
    elsewhere.filter((path) => path.at(-1) === lastName).map((path) => `'${formatPath(path)}'`);
  const sibling = closestName(name, names);
  const found = [
    places(name),
    sibling === undefined ? [] : [`'${formatPath([...group.path, sibling])}'`],
    places(
      closestName(
        name,
        elsewhere.map((path) => String(path.at(-1))),
      ),
    ),
  ].find((each) => each.length > 0);
  return found === undefined ? `use one of ${names.join(", ")}` : `use ${found.join(" or ")}`;
}

/** Returns the paths of all options, and of the members of groups. */
function optionsIn({ schema }: DocumentedOption): readonly OptionPath[] {
  return Object.entries(groupOf(schema)?.shape ?? {}).flatMap(([name, option]) => [
    [name],
    ...Object.keys(groupOf(option)?.shape ?? {}).map((member) => [name, member]),
  ]);
}
