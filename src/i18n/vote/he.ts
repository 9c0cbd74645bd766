import type { VoteMessages } from "./messages.ts";

export const he: VoteMessages = {
  card: {
    likes: "לייקים",
    up: "לייק",
    down: "דיסלייק",
    report: "דיווח",
    confirm: "כן, לדווח על הציטוט",
  },
  states: {
    sending: "שולח…",
    counted: "נספר. תודה.",
    unconfirmed: "נשלח, אך לא אושר.",
    later: "השירות עמוס. אפשר לנסות שוב מאוחר יותר.",
    laterIn: "השירות עמוס. אפשר לנסות שוב {when}.",
    offline: "אין חיבור לרשת. דבר לא נשלח.",
    refused: "השירות סירב.",
    already: "כבר הצבעת על הציטוט הזה.",
    reported: "כבר דיווחת על הציטוט הזה.",
    hidden: "דיווחת על הציטוט הזה, ולכן הוא מוסתר כאן.",
    show: "להציג שוב",
  },
};
