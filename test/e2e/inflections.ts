/** Words as quotes have them, and other forms of them as readers type them. */

/** Language → sentences, with a form of one of their words that is not in them. */
export const INFLECTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ["The valley was echoing every bell.", "echoed"],
    ["He repainted the harbour every morning.", "repainting"],
    ["A lantern flickers where travellers rest.", "flickering"],
    ["They whispered about the old bridge.", "whispering"],
    ["Two thistles gather dust above the mill.", "gathering"],
  ],
  de: [
    ["Die Laternen brennen noch am Ufer.", "Ufers"],
    ["Kein Zaunkönig singt im alten Obstgarten.", "Obstgartens"],
    ["Die Zugbrücke führt in die Berge.", "Zugbrücken"],
    ["Ein gemächlicher Morgen kennt keine Eile.", "gemächlichen"],
    ["Der Seefahrer hoffte auf den Wind.", "hoffen"],
  ],
  fr: [
    ["La falaise garde son silence.", "falaises"],
    ["Une lanterne vacillait encore au bord.", "vaciller"],
    ["Les moineaux gazouillent dans le verger.", "gazouillant"],
    ["Il sifflotait lentement vers la rivière.", "siffloter"],
    ["Une étoile tremblait sur le lac.", "trembler"],
  ],
  es: [
    ["La cordillera espera la nieve.", "cordilleras"],
    ["El pescador susurraba junto al puente.", "susurrar"],
    ["Una linterna iluminaba el camino.", "iluminar"],
    ["Los jardineros duermen en invierno.", "jardinera"],
    ["El vendaval mueve las hojas secas.", "vendavales"],
  ],
  ru: [
    ["Каменная башня помнит каждую весну.", "башни"],
    ["Рыбачка ждала ветра у берега.", "рыбачки"],
    ["Лампада горит над тихой рекой.", "лампады"],
    ["Ласточка поёт в забытом саду.", "ласточки"],
    ["Комета дрожит над озером.", "кометы"],
  ],
};
