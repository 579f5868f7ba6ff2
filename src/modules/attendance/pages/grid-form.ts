import { z } from "zod";
import { type GridFilter, wholeGrid } from "../grid-learners.ts";
import { cutTo, wholeNumber } from "../../../kernel/text.ts";

export const pageSizes = [25, 50, 100, 300] as const;

export const onlyChoices = [
  "low",
  "present",
  "late",
  "absent",
  "excused",
  "blank",
  "unknown",
  "conflict",
] as const;

/** By ids, or by places in the table that was sent. */
export type PressedCell = { personId: string; eventId: string };

const whole = (least: number, most: number, otherwise: number) =>
  z.string().transform(wholeNumber).pipe(z.number().min(least).max(most)).catch(otherwise);

const filterShape = z.object({
  section: z.string().max(255).catch(""),
  only: z.enum(onlyChoices).nullable().catch(wholeGrid.only),
  percent: whole(1, 100, wholeGrid.percent),
  times: whole(1, 1_000, wholeGrid.times),
  find: z.string().trim().catch(""),
  order: z.enum(["name", "rate"]).catch(wholeGrid.order),
  page: whole(1, 100_000, 1),
  size: z.coerce
    .number()
    .pipe(z.union(pageSizes.map((size) => z.literal(size))))
    .catch(50),
  back: whole(0, 100_000, 0),
});

/** What is not understood is left out. */
export function readGridFilter(body: unknown): GridFilter {
  const { section, find, size, ...rest } = filterShape.parse(body ?? {});
  return {
    ...rest,
    sectionId: section === "" ? null : section,
    search: cutTo(find, 200),
    perPage: size,
  };
}

export type GridFields = Record<
  "section" | "only" | "percent" | "times" | "find" | "order" | "size" | "page" | "back",
  string
>;

export function filterFields(filter: GridFilter): GridFields {
  return {
    section: filter.sectionId ?? "",
    only: filter.only ?? "",
    percent: String(filter.percent),
    times: String(filter.times),
    find: filter.search,
    order: filter.order,
    size: String(filter.perPage),
    page: String(filter.page),
    back: String(filter.back),
  };
}

const pressedShape = z
  .object({
    cell: z.string().max(20).catch(""),
    /** The row of the name that was pressed. */
    who: z.string().max(10).catch(""),
    person: z.string().max(100).catch(""),
    event: z.string().max(300).catch(""),
  })
  .catchall(z.unknown());

/** Looks row and column up in the ids that the table was sent with. */
export function readPressed(body: unknown): PressedCell {
  const fields = pressedShape.parse(body ?? {});
  const [row = "", column = ""] = fields.cell.split(".");
  return {
    personId: idIn(fields[`p.${fields.who === "" ? row : fields.who}`]) ?? fields.person,
    eventId: idIn(fields[`e.${column}`]) ?? fields.event,
  };
}

function idIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 300 ? value : null;
}
