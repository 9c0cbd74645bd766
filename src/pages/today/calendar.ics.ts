/** The quotes of the days, for calendar apps. */
import { calendarOf, openSite } from "../../site/index.ts";

export const GET = () => {
  const site = openSite();
  return calendarOf(
    site.days().flatMap((date) => {
      const [card] = site.dayPage(date).cards;
      return card === undefined ? [] : [{ date, card }];
    }),
  );
};
