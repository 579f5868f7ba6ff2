import { type Connection, type Model, Schema, type SchemaDefinitionProperty } from "mongoose";
import type { Field, Fields, RecordIndex, RecordKind, RowOf } from "../domain/record.ts";

/** More than one store may ask for it. */
export function recordModel<R extends RecordKind>(connection: Connection, kind: R): Model<RowOf<R>> {
  if (connection.models[kind.model] !== undefined) return connection.model<RowOf<R>>(kind.model);
  const schema = new Schema(
    { _id: { type: String, required: true }, ...definitionOf({ ...kind.fields, ...kind.hidden }) },
    { versionKey: false, minimize: false },
  );
  for (const one of kind.indexes) schema.index(keysOf(one), optionsOf(one));
  return connection.model<RowOf<R>>(kind.model, schema);
}

function definitionOf(fields: Fields): Record<string, SchemaDefinitionProperty> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, typeOf(field)]));
}

const plainTypes = {
  text: String,
  number: Number,
  flag: Boolean,
  date: Date,
  json: Schema.Types.Mixed,
  texts: [String],
} as const;

function typeOf({ kind, presence, fill }: Field<unknown, boolean>): SchemaDefinitionProperty {
  const type = typeof kind === "string" ? plainTypes[kind] : new Schema(definitionOf(kind), { _id: false });
  if (presence === "filled") return { type, default: fill };
  // mongoose makes an empty list of one that was not given, unless it is told not to.
  return presence === "required" ? { type, required: true } : { type, default: undefined };
}

function keysOf({ paths }: RecordIndex): Record<string, 1 | -1> {
  return Object.fromEntries(paths.map((path) => (path.startsWith("-") ? [path.slice(1), -1] : [path, 1])));
}

function optionsOf({ isUnique, isExpiry, where, name }: RecordIndex) {
  return {
    ...(isUnique === undefined ? {} : { unique: isUnique }),
    ...(isExpiry === undefined ? {} : { expireAfterSeconds: 0 }),
    ...(where === undefined ? {} : { partialFilterExpression: where }),
    ...(name === undefined ? {} : { name }),
  };
}
