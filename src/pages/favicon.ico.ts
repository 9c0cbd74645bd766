/** The icon for programs that read no other. */
import { ico } from "virtual:commonplace/install";

export const GET = () =>
  new Response(Buffer.from(ico, "base64"), { headers: { "Content-Type": "image/x-icon" } });
