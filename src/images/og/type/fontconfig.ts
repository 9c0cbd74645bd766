/**
 * Tells fontconfig which fonts there are: ours and no others.
 *
 * It reads its settings once, when a process first sets text, from the file that `FONTCONFIG_FILE` names.
 */
import { dirname } from "node:path";
import { fontFiles } from "./faces.ts";

/**
 * @param cacheDir where fontconfig may keep what it learns of the files
 * @returns the text of a `fonts.conf`
 * @see https://fontconfig.pages.freedesktop.org/fontconfig/fontconfig-user.html
 */
export function fontsConf(cacheDir: string): string {
  const folders = [...new Set(fontFiles().map((file) => dirname(file)))];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${escapeXml(folder)}</dir>`).join("\n")}
  <cachedir>${escapeXml(cacheDir)}</cachedir>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
