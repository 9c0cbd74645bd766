/** The quotes of the days, and of the next ones, as a calendar. */
import { calendarOf, openSite, picksOfDays } from "../../site/index.ts";

export const GET = () => {
  const site = openSite();
  return calendarOf([...picksOfDays(site.days()), ...site.upcoming()], site.day());
};
