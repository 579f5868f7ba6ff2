import type { Head } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";

/** `jwt`: the signed answer. `sendsItself`: nobody has to read the page first. */
export type ReturnPage = Head & { message: string; returnUrl: string; jwt: string; sendsItself: boolean };

export const returnPage = defineView<ReturnPage>("deep-linking/return");
