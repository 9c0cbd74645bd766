import type { VoteMessages } from "./messages.ts";

export const tr: VoteMessages = {
  card: {
    likes: "Beğeniler",
    up: "Beğen",
    down: "Beğenme",
    report: "Bildir",
    confirm: "Evet, bu alıntıyı bildir",
  },
  states: {
    sending: "Gönderiliyor…",
    counted: "Sayıldı. Teşekkürler.",
    unconfirmed: "Gönderildi ama doğrulanmadı.",
    later: "Hizmet meşgul. Daha sonra yeniden deneyin.",
    laterIn: "Hizmet meşgul. {when} yeniden deneyin.",
    offline: "Çevrimdışısınız. Hiçbir şey gönderilmedi.",
    refused: "Hizmet bunu reddetti.",
    already: "Bu alıntı için zaten oy verdiniz.",
    reported: "Bu alıntıyı zaten bildirdiniz.",
    hidden: "Bu alıntıyı bildirdiniz; burada gizlendi.",
    show: "Yeniden göster",
  },
};
