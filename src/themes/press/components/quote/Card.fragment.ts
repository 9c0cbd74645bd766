/** The card of this theme shows what folio's shows, so it is kept under the same key. */
export { everyFragment, fragmentKey } from "../../../../components/quote/Card.fragment.ts";
