/** What a page has to say of itself while it is rendered, for the summary of the run. */
import { channel } from "node:diagnostics_channel";

export const REMARKS_CHANNEL = "commonplace:remarks";

/** @param text one line, such as `<Quotes tag="hope">: there is no such tag` */
export function remark(text: string): void {
  channel(REMARKS_CHANNEL).publish(text);
}
