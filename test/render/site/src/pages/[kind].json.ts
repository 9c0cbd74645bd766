import type { APIRoute } from "astro";
import { lines, tags } from "../data.ts";

export const getStaticPaths = () => [
  { params: { kind: "tags" }, props: { list: tags } },
  { params: { kind: "ids" }, props: { list: lines.map(({ id }) => id) } },
];

export const GET: APIRoute = ({ props }) => new Response(JSON.stringify(props["list"]));
