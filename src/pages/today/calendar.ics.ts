/** The quotes of the days as a calendar. */
import { calendarOf, openSite, picksOfDays } from "../../site/index.ts";

export const GET = () => calendarOf(picksOfDays(openSite().days()));
