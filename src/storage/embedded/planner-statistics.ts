import type { IndexSpec } from "./index-spec.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** So many documents a collection is said to have, and so many of them an index of some. */
const documents = 1_000_000;
const partly = 10_000;
/** So many different values each path of an index is said to have. */
const different = 16;

/** A table and its indexes, all by their names in SQLite, unquoted. */
export type IndexedTable = { table: string; indexes: readonly { name: string; spec: IndexSpec }[] };

/**
 * Tells SQLite's planner, in the place where ANALYZE writes what it counted, how well each index finds: the better, the
 * more of its paths a query names (https://www.sqlite.org/fileformat2.html#stat1tab). Told nothing, SQLite takes one path
 * for as good as four, and went through all scores that waited to find those of one course. Figures that were
 * counted would be those of the day on which somebody counted. Runs in a transaction; without effect when it was told.
 */
export function tellPlanner(file: SqliteFile, tables: readonly IndexedTable[]): void {
  const wanted = tables.flatMap(({ table, indexes }) => [
    { table, index: `sqlite_autoindex_${table}_1`, told: `${documents} 1` },
    ...indexes.map(({ name, spec }) => ({ table, index: name, told: statisticsOf(spec) })),
  ]);
  if (isTold(file, wanted)) return;
  // Makes the table of statistics, which cannot be made otherwise.
  file.db.exec("ANALYZE engine_state; DELETE FROM sqlite_stat1 WHERE tbl LIKE 'c:%'");
  const tell = file.db.prepare("INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES (?, ?, ?)");
  for (const { table, index, told } of wanted) tell.run(table, index, told);
  file.db.exec("ANALYZE sqlite_schema");
}

function statisticsOf({ key, unique, partialFilterExpression, sparse }: IndexSpec): string {
  const all = partialFilterExpression === undefined && sparse === undefined ? documents : partly;
  const paths = Object.keys(key).length;
  const found = Array.from({ length: paths }, (_none, at) =>
    unique && at === paths - 1 ? 1 : Math.max(1, Math.round(all / different ** (at + 1))),
  );
  return [all, ...found, "noskipscan"].join(" ");
}

function isTold(file: SqliteFile, wanted: readonly { index: string; told: string }[]): boolean {
  if (file.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() === undefined)
    return false;
  const rows = file.db.prepare("SELECT idx, stat FROM sqlite_stat1 WHERE tbl LIKE 'c:%'").all();
  const told = new Map(rows.map(({ idx, stat }) => [idx, stat]));
  return told.size === wanted.length && wanted.every((one) => told.get(one.index) === one.told);
}
