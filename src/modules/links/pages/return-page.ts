import type { Head } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";

/** The form that carries the signed answer (`jwt`) to the LMS. `sendsItself`: nobody has to read the page first. */
export type ReturnPage = Head & { message: string; returnUrl: string; jwt: string; sendsItself: boolean };

export const returnPage = defineView<ReturnPage>("deep-linking/return");
