import type { VoteMessages } from "./messages.ts";

export const it: VoteMessages = {
  card: {
    likes: "«Mi piace»",
    up: "Mi piace",
    down: "Non mi piace",
    report: "Segnala",
    confirm: "Sì, segnala questa citazione",
  },
  states: {
    sending: "Invio…",
    counted: "Contato. Grazie.",
    unconfirmed: "Inviato, ma non confermato.",
    later: "Il servizio è occupato. Riprova più tardi.",
    laterIn: "Il servizio è occupato. Riprova {when}.",
    offline: "Sei offline. Non è stato inviato nulla.",
    refused: "Il servizio ha rifiutato.",
    already: "Hai già votato questa citazione.",
    reported: "Hai già segnalato questa citazione.",
    hidden: "Hai segnalato questa citazione: qui è nascosta.",
    show: "Mostrala di nuovo",
  },
};
