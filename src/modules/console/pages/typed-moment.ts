const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/;
const day = 24 * 3_600_000;

/** A moment as it is typed: where it begins and ends (ms, both included), and how a field for date and time writes it. */
export type TypedMoment = { from: number; to: number; fromField: string; toField: string };

/**
 * A day, a minute or a second as a field for date and time says it, in UTC; null when it is none. The whole of what was
 * typed is meant: "to 10:15" includes that minute, "to 1 October" that day.
 */
export function typedMoment(text: string): TypedMoment | null {
  const [, date, minute, second] = written.exec(text) ?? [];
  if (date === undefined) return null;
  const whole = `${date}T${minute ?? "00:00"}:${second ?? "00"}`;
  const from = Date.parse(`${whole}Z`);
  // "31 February" is read as a day in March by some.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(whole)) return null;
  const to = from + (minute === undefined ? day : second === undefined ? 60_000 : 1_000) - 1;
  const field = (at: number) => new Date(at).toISOString().slice(0, second === undefined ? 16 : 19);
  return { from, to, fromField: field(from), toField: field(to) };
}
