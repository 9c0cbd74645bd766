import type { VoteMessages } from "./messages.ts";

export const fr: VoteMessages = {
  card: {
    likes: "J’aime",
    up: "J’aime",
    down: "Je n’aime pas",
    report: "Signaler",
    confirm: "Oui, signaler cette citation",
  },
  states: {
    sending: "Envoi…",
    counted: "C’est compté. Merci.",
    unconfirmed: "Envoyé, mais sans confirmation.",
    later: "Le service est occupé. Réessayez plus tard.",
    laterIn: "Le service est occupé. Réessayez {when}.",
    offline: "Vous êtes hors ligne. Rien n’a été envoyé.",
    refused: "Le service a refusé.",
    already: "Vous avez déjà voté pour cette citation.",
    reported: "Vous avez déjà signalé cette citation.",
    hidden: "Vous avez signalé cette citation ; elle est masquée ici.",
    show: "L’afficher à nouveau",
  },
};
