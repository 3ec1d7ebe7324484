/**
 * The result of the index's filters `lowercase` and `asciifolding` for lower-case letters and digits, if it is more
 * than the removal of a mark that Unicode decomposes: the result, and every character that has it. The index gives some
 * fifty phonetic letters an upper case; they are omitted, because their result would fold further.
 */
const OUTCOMES = `
  0:０ 1:１ 2:２ 3:３ 4:４ 5:５ 6:６ 7:７ 8:８ 9:９ a:əⱥɐɚᶏᶕẚₐₔａ aa:ꜳ ae:æᴂ ao:ꜵ au:ꜷ av:ꜹꜻ ay:ꜽ b:ƀɓƃᵬᶀｂ c:ƈȼɕↄꜿｃ
  d:ðđɖɗƌȡᵭᶁᶑꝺｄ db:ȸ dz:ǆǳʣʥ e:ǝɛɇɘɜɝɞʚᴈᶒᶓᶔₑⱸｅ f:ƒᵮᶂẛꝼｆ ff:ﬀ ffi:ﬃ ffl:ﬄ fi:ﬁ fl:ﬂ g:ɠɡᵷᵹᶃꝿｇ h:ħɥɦʮʯⱨⱶｈ hv:ƕ
  i:İıɨᴉᵢᵼᶖⁱｉ ij:ĳ j:ȷɉɟʄʝⱼｊ k:ƙʞᶄⱪꝁꝃꝅｋ l:ŀłƚȴɫɬɭᶅⱡꝇꝉꞁｌ lj:ǉ ll:ỻ ls:ʪ lz:ʫ m:ɯɰɱᵯᶆｍ n:ŉŋɲƞȵɳᵰᶇⁿｎ nj:ǌ
  o:øɔɵᴖᴗᶗₒⱺꝋꝍｏ oe:œᴔ oo:ꝏ ou:ȣ p:ƥᵱᵽᶈꝑꝓꝕꟼｐ q:ĸɋʠꝗꝙｑ qp:ȹ r:ɍɼɽɾɿᵣᵲᵳᶉꝛꞃｒ s:ſȿʂᵴᶊẜẝｓ ss:ß st:ﬆ t:ŧƫƭʈȶⱦʇᵵｔ tc:ʨ
  th:þᵺꝧ ts:ʦ tz:ꜩ u:ʉᵤᶙｕ ue:ᵫ v:ʋʌᵥᶌⱱⱴꝟｖ vy:ꝡ w:ƿʍⱳｗ x:ᶍₓｘ y:ƴɏʎỿｙ z:ƶȝȥɀʐʑᵶᶎⱬꝣｚ ǯ:ǯ`;

const FOLDED: ReadonlyMap<string, string> = new Map(
  OUTCOMES.trim()
    .split(/\s+/)
    .map((entry) => entry.split(':'))
    .flatMap(([outcome = '', letters = '']) => Array.from(letters, (letter) => [letter, outcome] as const)),
);

const MARKED_LATIN_LETTER = /^\p{Script=Latin}\p{M}+$/u;

/** Returns a character, composed to NFC before, as the index stores it in the words of a text. */
export function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const single = Array.from(lower).length === 1 ? lower : character;
  return FOLDED.get(single) ?? foldMarked(single);
}

function foldMarked(letter: string): string {
  const parts = letter.normalize('NFD');
  if (!MARKED_LATIN_LETTER.test(parts)) return letter;
  const base = parts.charAt(0);
  return FOLDED.get(base) ?? base;
}
