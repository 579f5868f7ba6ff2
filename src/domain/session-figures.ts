/**
 * What the classroom says of a session that is over. The interface names only that there are metrics on engagement, network and
 * devices (part 4; "Response: not shown"), so each is kept and shown by the name that it came with. Of single people nothing is kept.
 */
export type SessionFigures = {
  figures: readonly Figure[];
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

/** How a figure went, earliest first; moments in ms. */
export type FigureSeries = { path: string; points: readonly { at: number; value: number }[] };
