import { Schema } from "mongoose";
import type { UnfinishedList } from "../domain/list-pages.ts";

/** What is left of a list, as readings keep it; null when the list was read to its end. */
export const unfinishedField = {
  type: new Schema<UnfinishedList>(
    {
      why: { type: String, required: true },
      read: { type: Number, required: true },
      total: { type: Number, default: null },
      place: { type: String, default: null },
      since: { type: Number, required: true },
      turns: { type: Number, required: true },
    },
    { _id: false },
  ),
  default: null,
};
