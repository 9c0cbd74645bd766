import type { VoteMessages } from "./messages.ts";

export const en: VoteMessages = {
  card: {
    likes: "Likes",
    up: "Like",
    down: "Dislike",
    report: "Report",
    confirm: "Yes, report this quote",
  },
  states: {
    sending: "Sending…",
    counted: "Counted. Thank you.",
    unconfirmed: "Sent, but not confirmed.",
    later: "The service is busy. Please try again later.",
    laterIn: "The service is busy. Please try again {when}.",
    offline: "You are offline. Nothing was sent.",
    refused: "The service refused this.",
    already: "You have already voted on this quote.",
    reported: "You have already reported this quote.",
    hidden: "You reported this quote, so it is hidden here.",
    show: "Show it again",
  },
};
