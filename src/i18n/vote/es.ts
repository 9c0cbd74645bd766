import type { VoteMessages } from "./messages.ts";

export const es: VoteMessages = {
  card: {
    likes: "Me gusta",
    up: "Me gusta",
    down: "No me gusta",
    report: "Denunciar",
    confirm: "Sí, denunciar esta cita",
  },
  states: {
    sending: "Enviando…",
    counted: "Contado. Gracias.",
    unconfirmed: "Enviado, pero sin confirmar.",
    later: "El servicio está ocupado. Inténtalo más tarde.",
    laterIn: "El servicio está ocupado. Inténtalo de nuevo {when}.",
    offline: "Sin conexión. No se ha enviado nada.",
    refused: "El servicio lo ha rechazado.",
    already: "Ya has votado esta cita.",
    reported: "Ya has denunciado esta cita.",
    hidden: "Denunciaste esta cita, por eso está oculta aquí.",
    show: "Mostrarla otra vez",
  },
};
