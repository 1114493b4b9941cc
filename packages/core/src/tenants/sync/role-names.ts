/** A copy of a role, or its original. */
interface Named {
  readonly name: string;
}

/**
 * Returns the names of the copies of roles, by the ids of the originals. The tenant's own roles keep their names. If
 * one of them has the name of a shared role, an existing copy of the shared role keeps its current name, because users
 * may already have the role, and a new copy is skipped. The name that such a copy keeps is taken for other copies, too.
 */
export function roleNames(
  roles: readonly (Named & { readonly id: string })[],
  copies: ReadonlyMap<string, Named>,
  own: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(own);
  let open = roles;
  for (;;) {
    const blocked = open.filter(({ name }) => taken.has(name));
    if (blocked.length === 0) break;
    open = open.filter((role) => !blocked.includes(role));
    for (const { id } of blocked) {
      const current = copies.get(id)?.name;
      if (current === undefined) continue;
      names.set(id, current);
      taken.add(current);
    }
  }
  for (const { id, name } of open) names.set(id, name);
  return names;
}
