/** A tag of the service's tag list (contract, section 2). Quotes may carry names that the list lacks. */
import { z } from "zod";

export const wireTagSchema = z.object({ name: z.string(), slug: z.string() });

export interface Tag {
  /** As quotes carry it. */
  readonly name: string;
  /** The service's own slug: a hint, since nothing says it is fit for a path. */
  readonly slug: string;
}
