import { Schema } from "mongoose";

/** A record like those that the tool writes most often. */
export type Delivery = {
  _id: string;
  key: string;
  registrationId: string;
  state: string;
  score: number;
  dueAt: Date;
  comment: string;
  tries: number;
};

/** The n-th record, about 280 bytes as JSON. */
export function delivery(n: number): Delivery {
  return {
    _id: `delivery-${String(n).padStart(8, "0")}`,
    key: `course-${String(n % 500)}/column/person-${String(n)}`,
    registrationId: `registration-${String(n % 10)}`,
    state: n % 3 === 0 ? "waiting" : "accepted",
    score: n % 100,
    dueAt: new Date(1_790_000_000_000 + n * 1000),
    comment: "(2x100 + 1x80) / 3 = 93.33; three of four sessions counted, one excused by the teacher",
    tries: 0,
  };
}

/** Its schema, with a unique key and the index of a queue. */
export function deliverySchema(): Schema<Delivery> {
  const schema = new Schema<Delivery>(
    {
      _id: String,
      key: String,
      registrationId: String,
      state: String,
      score: Number,
      dueAt: Date,
      comment: String,
      tries: Number,
    },
    { versionKey: false },
  );
  return schema.index({ key: 1 }, { unique: true }).index({ state: 1, dueAt: 1 });
}
