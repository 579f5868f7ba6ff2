/**
 * What the classroom says of a session that is over. The interface names only that there are metrics on engagement, network and
 * devices (part 4; "Response: not shown"), so each is kept and shown by the name that it came with.
 */
export type SessionFigures = {
  /** Of the session as a whole. */
  figures: readonly Figure[];
  people: readonly PersonFigures[];
  series: readonly FigureSeries[];
  /** There was more than is kept. */
  cut: boolean;
};

export type Figure = {
  /** Where it stood, such as "network.averageRttMs". */
  path: string;
  value: FigureValue;
};

export type FigureValue = number | string | boolean;

/** By the classroom's id of somebody's user. */
export type PersonFigures = { userId: string; figures: readonly Figure[] };

/** How a figure went, earliest first; moments in ms. */
export type FigureSeries = { path: string; points: readonly { at: number; value: number }[] };

export const noFigures: SessionFigures = { figures: [], people: [], series: [], cut: false };
