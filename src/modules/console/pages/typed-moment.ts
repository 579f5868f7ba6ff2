const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/;
const day = 24 * 3_600_000;

/** Begin and end (ms, inclusive), and the text for a field for date and time. */
export type TypedMoment = { from: number; to: number; fromField: string; toField: string };

/** In UTC; null for anything else. All of it is meant: "to 10:15" includes that minute, "to 1 October" that day. */
export function typedMoment(text: string): TypedMoment | null {
  const [, date, minute, second] = written.exec(text) ?? [];
  if (date === undefined) return null;
  const whole = `${date}T${minute ?? "00:00"}:${second ?? "00"}`;
  const from = Date.parse(`${whole}Z`);
  // Some read "31 February" as a day in March.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(whole)) return null;
  const to = from + (minute === undefined ? day : second === undefined ? 60_000 : 1_000) - 1;
  const field = (at: number) => new Date(at).toISOString().slice(0, second === undefined ? 16 : 19);
  return { from, to, fromField: field(from), toField: field(to) };
}
