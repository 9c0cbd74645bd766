import type { VoteMessages } from "./messages.ts";

export const de: VoteMessages = {
  card: {
    likes: "„Gefällt mir“",
    up: "Gefällt mir",
    down: "Gefällt mir nicht",
    report: "Melden",
    confirm: "Ja, dieses Zitat melden",
  },
  states: {
    sending: "Wird gesendet …",
    counted: "Gezählt. Danke.",
    unconfirmed: "Gesendet, aber nicht bestätigt.",
    later: "Der Dienst ist ausgelastet. Bitte später erneut versuchen.",
    laterIn: "Der Dienst ist ausgelastet. Bitte {when} erneut versuchen.",
    offline: "Keine Verbindung. Es wurde nichts gesendet.",
    refused: "Der Dienst hat abgelehnt.",
    already: "Über dieses Zitat wurde schon abgestimmt.",
    reported: "Dieses Zitat wurde schon gemeldet.",
    hidden: "Dieses Zitat wurde gemeldet und ist hier ausgeblendet.",
    show: "Wieder anzeigen",
  },
};
