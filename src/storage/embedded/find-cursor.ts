import type { CollectionRows, Selection } from "./collection-rows.ts";
import { createMatcher } from "./matcher.ts";
import { UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { pathValues } from "./paths.ts";
import type { Project } from "./read-options.ts";
import { type StoredDocument, type StoredValue, toJson } from "./stored-value.ts";

/** Every read first checks what other processes changed. */
type Read = <T>(work: () => T) => Promise<T>;

/**
 * The result of `find`. `toArray` reads them all; steps read one document at a time from the places of the matches (8
 * bytes each): a document deleted or changed meanwhile is left out, as on MongoDB without a snapshot.
 */
export class FindCursor {
  readonly #rows: CollectionRows;
  readonly #read: Read;
  readonly #selection: Selection;
  readonly #project: Project | undefined;
  #places: number[] | undefined;
  #position = 0;
  #left: number;
  #skip: number;
  #peeked: StoredDocument | null = null;
  #closed = false;

  constructor(rows: CollectionRows, read: Read, selection: Selection, project: Project | undefined) {
    this.#rows = rows;
    this.#read = read;
    this.#selection = selection;
    this.#project = project;
    this.#left = selection.limit === 0 ? Infinity : selection.limit;
    this.#skip = selection.skip;
  }

  get closed(): boolean {
    return this.#closed;
  }

  toArray(): Promise<StoredDocument[]> {
    return this.#read(() => {
      const documents = this.#rows.list(this.#selection, ({ document }) => this.#shape(document));
      this.#closed = true;
      return documents;
    });
  }

  async next(): Promise<StoredDocument | null> {
    const next = this.#peeked ?? (await this.#advance());
    this.#peeked = null;
    return next;
  }

  async hasNext(): Promise<boolean> {
    this.#peeked ??= await this.#advance();
    return this.#peeked !== null;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#places = undefined;
    return Promise.resolve();
  }

  explain(): Promise<never> {
    return Promise.reject(new UnsupportedOnEmbedded("explain"));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StoredDocument> {
    for (;;) {
      const next = await this.next();
      if (next === null) return;
      yield next;
    }
  }

  async #advance(): Promise<StoredDocument | null> {
    if (this.#closed || this.#left === 0) return null;
    const matches = createMatcher(this.#selection.filter);
    return this.#read(() => {
      this.#places ??= this.#rows.candidates(this.#selection.filter, this.#selection.sort);
      for (; this.#position < this.#places.length;) {
        const row = this.#rows.at(this.#places[this.#position] ?? 0, matches);
        this.#position += 1;
        if (row === undefined) continue;
        if (this.#skip > 0) {
          this.#skip -= 1;
          continue;
        }
        this.#left -= 1;
        return this.#shape(row.document);
      }
      this.#closed = true;
      return null;
    });
  }

  #shape(document: StoredDocument): StoredDocument {
    return this.#project === undefined ? document : this.#project(document);
  }
}

/** The result of `listIndexes`, made when first asked for. */
export class ListCursor {
  readonly #make: () => Promise<StoredDocument[]>;
  #list: StoredDocument[] | undefined;

  constructor(make: () => Promise<StoredDocument[]>) {
    this.#make = make;
  }

  async toArray(): Promise<StoredDocument[]> {
    return (this.#list ??= await this.#make()).splice(0);
  }

  async next(): Promise<StoredDocument | null> {
    return (this.#list ??= await this.#make()).shift() ?? null;
  }

  close(): Promise<void> {
    this.#list = [];
    return Promise.resolve();
  }

  explain(): Promise<never> {
    return Promise.reject(new UnsupportedOnEmbedded("explain"));
  }
}

/** The elements of arrays count one by one. */
export function distinctValues(rows: CollectionRows, selection: Selection, path: string): StoredValue[] {
  const values = new Map<string, StoredValue>();
  const add = (value: StoredValue) => values.set(JSON.stringify(toJson(value)), value);
  for (const found of rows.list(selection, ({ document }) => pathValues(document, path)).flat()) {
    if (Array.isArray(found)) found.forEach(add);
    else if (found !== undefined) add(found);
  }
  return [...values.values()];
}
