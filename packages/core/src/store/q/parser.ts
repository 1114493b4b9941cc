import type { SearchFieldName, Query } from "./ast.ts";
import { QueryError } from "./error.ts";
import { tokenize, type Token } from "./lexer.ts";

/** Maximum nesting depth of parentheses and negations. */
export const deepestQuery = 30;
/** Maximum number of conditions in a query. */
export const mostClauses = 100;

/**
 * Parses Auth0's subset of the Lucene query syntax. Returns undefined for a blank `q`; the caller decides what a blank
 * query means.
 *
 * `NOT`, `-` and `!` bind most tightly, then `AND`, then `OR`. **Clauses that are separated only by a blank must both
 * match.** Lucene's default is OR, which suits ranked text search. Lists of the Management API are not ranked, and
 * Auth0's documentation always writes the operators. If a caller forgets an operator, AND returns too few items, which
 * the caller notices. OR would return too many, and a change to all of them could affect the wrong users.
 *
 * @throws {QueryError} if the query is invalid.
 */
export function parseQuery(q: string): Query | undefined {
  const tokens = tokenize(q);
  if (tokens.length === 0) return undefined;
  let next = 0;
  let clauses = 0;

  const peek = (): Token | undefined => tokens[next];
  const take = (kind: Token["kind"]): boolean => {
    if (peek()?.kind !== kind) return false;
    next++;
    return true;
  };

  const parseOr = (depth: number, field: SearchFieldName | undefined): Query => {
    const at = peek()?.at ?? q.length;
    const parts = [parseAnd(depth, field)];
    while (take("or")) parts.push(parseAnd(depth, field));
    return join("or", parts, at);
  };

  const parseAnd = (depth: number, field: SearchFieldName | undefined): Query => {
    const at = peek()?.at ?? q.length;
    const parts = [parseUnary(depth, field)];
    for (;;) {
      const kind = peek()?.kind;
      if (kind === undefined || kind === "or" || kind === "close") return join("and", parts, at);
      take("and");
      parts.push(parseUnary(depth, field));
    }
  };

  const parseUnary = (depth: number, field: SearchFieldName | undefined): Query => {
    const token = peek();
    if (token === undefined) throw new QueryError(q.length, "a condition is missing at the end");
    if (depth > deepestQuery) throw new QueryError(token.at, `a query can nest at most ${deepestQuery} levels deep`);
    next++;
    switch (token.kind) {
      case "not":
        return { kind: "not", part: parseUnary(depth + 1, field), at: token.at };
      case "plus":
        return parseUnary(depth + 1, field);
      case "open":
        return closed(token.at, parseOr(depth + 1, field));
      case "field":
        return parseUnary(depth, token.field); // the lexer ensures that an operand or a parenthesis follows every field
      case "operand":
        if (++clauses > mostClauses) throw new QueryError(field?.at ?? token.at, `a query has at most ${mostClauses} conditions`);
        return { kind: "term", ...(field && { field }), operand: token.operand, at: field?.at ?? token.at };
      default:
        throw new QueryError(token.at, "a condition is missing here");
    }
  };

  const closed = (opened: number, query: Query): Query => {
    if (!take("close")) throw new QueryError(opened, "this parenthesis is not closed");
    return query;
  };

  const query = parseOr(0, undefined);
  const left = peek();
  if (left !== undefined) throw new QueryError(left.at, "this parenthesis was not opened");
  return query;
}

function join(kind: "and" | "or", parts: readonly Query[], at: number): Query {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { kind, parts, at };
}
