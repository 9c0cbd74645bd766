import type { VoteMessages } from "./messages.ts";

export const ar: VoteMessages = {
  card: {
    likes: "الإعجابات",
    up: "أعجبني",
    down: "لم يعجبني",
    report: "إبلاغ",
    confirm: "نعم، أبلغ عن هذا الاقتباس",
  },
  states: {
    sending: "جارٍ الإرسال…",
    counted: "حُسب صوتك. شكرًا.",
    unconfirmed: "أُرسل ولم يتأكد.",
    later: "الخدمة مشغولة. أعد المحاولة لاحقًا.",
    laterIn: "الخدمة مشغولة. أعد المحاولة {when}.",
    offline: "أنت غير متصل. لم يُرسل شيء.",
    refused: "رفضت الخدمة ذلك.",
    already: "سبق أن صوّتّ على هذا الاقتباس.",
    reported: "سبق أن أبلغتَ عن هذا الاقتباس.",
    hidden: "أبلغتَ عن هذا الاقتباس، فهو مخفي هنا.",
    show: "إظهاره من جديد",
  },
};
