/** What a stand-in does although no document, standard or source says that the real one does. */
export type Assumption = {
  /** What the stand-in does when nobody says otherwise. */
  assumed: string;
  /** What it does when the assumption is turned round: something else that a real one might do as well. */
  opposite: string;
  /** Where was looked, and why nobody knows. */
  looked: string;
  /** The part of the tool that would go wrong first. */
  reliedOn: string;
  /**
   * What lets the tool live with the opposite: nothing is to be done ("tool"), an operator's dialect file ("dialect"), or it does
   * not live with it ("nobody"): then `loss` says what happens.
   */
  borneBy: "tool" | "dialect" | "nobody";
  loss?: string;
};
