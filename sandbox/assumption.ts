/** What a stand-in does although no document, standard or source says that the real one does. */
export type Assumption = {
  /** By default. */
  assumed: string;
  /** When the assumption is turned: what a real one might do as well. */
  opposite: string;
  /** Where was looked, and why it is not known. */
  looked: string;
  /** The part of the tool that would go wrong first. */
  reliedOn: string;
  /** Who bears the opposite: the tool itself, an operator's dialect file, or nobody; then `loss` says what happens. */
  borneBy: "tool" | "dialect" | "nobody";
  loss?: string;
};
