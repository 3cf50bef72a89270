/** Charsets with their aliases, as java.nio.charset knows them; the first of each is its name. */
const CHARSETS = `
UTF-8 unicode-1-1-utf-8 utf8;
US-ASCII 646 ansi_x3.4-1968 ansi_x3.4-1986 ascii ascii7 cp367 csascii default ibm367 iso-ir-6 iso646-us 
iso_646.irv:1983 iso_646.irv:1991 us;
ISO-8859-1 819 8859_1 cp819 csisolatin1 ibm-819 ibm819 iso-ir-100 iso8859-1 iso8859_1 iso_8859-1 
iso_8859-1:1987 iso_8859_1 l1 latin1;
UTF-16 unicode unicodebig utf16 utf_16;
UTF-16BE iso-10646-ucs-2 unicodebigunmarked utf_16be x-utf-16be;
UTF-16LE unicodelittleunmarked utf_16le x-utf-16le;
x-UTF-16LE-BOM unicodelittle;
UTF-32 utf32 utf_32;
UTF-32BE utf_32be x-utf-32be;
UTF-32LE utf_32le x-utf-32le;
ISO-8859-2 8859_2 912 cp912 csisolatin2 ibm-912 ibm912 iso-ir-101 iso8859-2 iso8859_2 iso_8859-2 
iso_8859-2:1987 l2 latin2;
ISO-8859-3 8859_3 913 cp913 csisolatin3 ibm-913 ibm913 iso-ir-109 iso8859-3 iso8859_3 iso_8859-3 
iso_8859-3:1988 l3 latin3;
ISO-8859-4 8859_4 914 cp914 csisolatin4 ibm-914 ibm914 iso-ir-110 iso8859-4 iso8859_4 iso_8859-4 
iso_8859-4:1988 l4 latin4;
ISO-8859-5 8859_5 915 cp915 csisolatincyrillic cyrillic ibm-915 ibm915 iso-ir-144 iso8859-5 iso8859_5 
iso_8859-5 iso_8859-5:1988;
ISO-8859-6 1089 8859_6 arabic asmo-708 cp1089 csisolatinarabic ecma-114 ibm-1089 ibm1089 iso-ir-127 
iso8859-6 iso8859_6 iso_8859-6 iso_8859-6:1987;
ISO-8859-7 813 8859_7 cp813 csisolatingreek ecma-118 elot_928 greek greek8 ibm-813 ibm813 iso-ir-126 
iso8859-7 iso8859_7 iso_8859-7 iso_8859-7:1987 sun_eu_greek;
ISO-8859-8 8859_8 916 cp916 csisolatinhebrew hebrew ibm-916 ibm916 iso-ir-138 iso8859-8 iso8859_8 
iso_8859-8 iso_8859-8:1988;
ISO-8859-9 8859_9 920 cp920 csisolatin5 ibm-920 ibm920 iso-ir-148 iso8859-9 iso8859_9 iso_8859-9 
iso_8859-9:1989 l5 latin5;
ISO-8859-13 8859_13 iso8859-13 iso8859_13 iso_8859-13;
ISO-8859-15 8859_15 923 cp923 csiso885915 csisolatin0 csisolatin9 ibm-923 ibm923 iso8859-15 iso8859_15 
iso8859_15_fdis iso_8859-15 l9 latin-9 latin0 latin9;
windows-1250 cp1250 cp5346;
windows-1251 ansi-1251 cp1251 cp5347;
windows-1252 cp1252 cp5348 ibm-1252 ibm1252;
windows-1253 cp1253 cp5349;
windows-1254 cp1254 cp5350;
windows-1255 cp1255;
windows-1256 cp1256;
windows-1257 cp1257 cp5353;
windows-1258 cp1258;
KOI8-R cskoi8r koi8 koi8_r;
KOI8-U koi8_u;
IBM866 866 cp866 csibm866 ibm-866;
Big5 csbig5;
EUC-JP cseucpkdfmtjapanese euc_jp eucjis eucjp extended_unix_code_packed_format_for_japanese x-euc-jp 
x-eucjp;
EUC-KR 5601 cseuckr euc_kr euckr ks_c_5601-1987 ksc5601 ksc5601-1987 ksc5601_1987 ksc_5601;
GB18030 gb18030-2022;
GBK cp936 windows-936;
GB2312 euc-cn euc_cn euccn gb2312-1980 gb2312-80 x-euc-cn;
ISO-2022-JP csiso2022jp csjisencoding iso2022jp jis jis_encoding;
Shift_JIS csshiftjis ms_kanji shift-jis sjis x-sjis;
`

const names: ReadonlyMap<string, string> = new Map(
  CHARSETS.replaceAll('\n', '')
    .split(';')
    .flatMap((charset) => {
      const [name = '', ...aliases] = charset.split(' ')
      return [name, ...aliases].map((alias) => [alias.toLowerCase(), name] as const)
    }),
)

/** A charset's name in Java by that name or an alias, in any case; undefined: not one of these. */
export function charsetName(alias: string): string | undefined {
  return names.get(alias.toLowerCase())
}
