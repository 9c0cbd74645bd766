/** Icons for home screens and installed apps. */
import type { APIRoute } from "astro";
import { png } from "virtual:commonplace/install";

export const getStaticPaths = () => Object.keys(png).map((icon) => ({ params: { icon } }));

export const GET: APIRoute = ({ params }) =>
  new Response(Buffer.from(png[params["icon"] ?? ""] ?? "", "base64"), {
    headers: { "Content-Type": "image/png" },
  });
