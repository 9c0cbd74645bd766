/** The quotes of the days, for calendar apps. */
import { calendarOf, openSite, picksOfDays } from "../../site/index.ts";

export const GET = () => calendarOf(picksOfDays(openSite().days()));
