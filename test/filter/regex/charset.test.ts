import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { decoderFor } from '../../../src/filter/regex/charset.ts'

const decode = (charset: string, hex: string): string => {
  const bytes = Buffer.from(`41${hex}42`, 'hex')
  return decoderFor(charset)(bytes, 1, bytes.length - 1)
}

test.each([
  ['UTF-8', 'c3a9', 'é'],
  ['utf8', 'f09f9880', '😀'],
  ['latin1', 'e9ff00', 'éÿ\0'],
  ['ISO8859_1', '80', '\x80'],
  ['ascii', '41e9', 'A\ufffd'],
  ['Cp1252', '809f', '€Ÿ'],
  ['UTF-16', '00e9', 'é'],
  ['UTF-16', 'fffee900', 'é'],
  ['UTF-16', 'feff00e9', 'é'],
  ['UnicodeLittleUnmarked', 'e900', 'é'],
  ['UTF-16LE', 'fffe', '\ufeff'],
  ['x-UTF-16LE-BOM', 'e900', 'é'],
  ['UTF-32', '0001f600', '😀'],
  ['UTF-32', 'fffe000000f60100', '😀'],
  ['Shift_JIS', '8abf', '漢'],
  ['EUC-KR', 'b0a1', '가'],
  ['GBK', 'baba', '汉'],
  ['UTF-8', '', ''],
])('%s %s', (charset, hex, text) => {
  expect(decode(charset, hex)).toBe(text)
})

/** As new String(bytes, charset) of OpenJDK 17 has it. */
test.each([
  ['UTF-8', 'c0f5d8c28ff4', '\ufffd\ufffd\ufffd\u008f\ufffd'],
  ['UTF-8', 'c190808041f441', '\ufffd\ufffd\ufffd\ufffd\u0041\ufffd\u0041'],
  ['UTF-8', 'ff8fa0bfa0', '\ufffd\ufffd\ufffd\ufffd\ufffd'],
  ['UTF-8', 'c2d8c180c1c2ffed', '\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd'],
  ['UTF-8', 'bf9f8f61f4', '\ufffd\ufffd\ufffd\u0061\ufffd'],
  ['UTF-8', 'c1fe00fff000c1', '\ufffd\ufffd\u0000\ufffd\ufffd\u0000\ufffd'],
  ['UTF-8', 'f5ffd8edf141c0e0', '\ufffd\ufffd\ufffd\ufffd\ufffd\u0041\ufffd\ufffd'],
  ['UTF-8', 'ed00308f00dc9f', '\ufffd\u0000\u0030\ufffd\u0000\u071f'],
  ['UTF-8', 'bf9fd88f807f', '\ufffd\ufffd\u060f\ufffd\u007f'],
  ['UTF-8', '7ff1f5', '\u007f\ufffd\ufffd'],
  ['UTF-16', '61c1f1', '\u61c1\ufffd'],
  ['UTF-16', '6100c07fc0', '\u6100\uc07f\ufffd'],
  ['UTF-16', 'ed8f7fe141', '\ued8f\u7fe1\ufffd'],
  ['UTF-16', 'ff30fee0fe', '\uff30\ufee0\ufffd'],
  ['UTF-16', 'dce0619f30dcef41', '\ufffd\u619f\u30dc\uef41'],
  ['UTF-16', '00edbff58f', '\u00ed\ubff5\ufffd'],
  ['UTF-16', '00ffdfc10041f4', '\u00ff\ufffd\u0041\ufffd'],
  ['UTF-16', 'dc30c2d8e0e080e0', '\ufffd\uc2d8\ue0e0\u80e0'],
  ['UTF-16', 'f4c2e0', '\uf4c2\ufffd'],
  ['UTF-16', 'dcc07fd80041', '\ufffd\u7fd8\u0041'],
  ['UTF-16LE', '7f41e16190f080', '\u417f\u61e1\uf090\ufffd'],
  ['UTF-16LE', 'f461dcdfdf', '\u61f4\ufffd\ufffd'],
  ['UTF-16LE', 'f1e1c2dced', '\ue1f1\ufffd\ufffd'],
  ['UTF-16LE', 'f58f41efff', '\u8ff5\uef41\ufffd'],
  ['UTF-16LE', 'e06161', '\u61e0\ufffd'],
  ['UTF-16LE', 'a0f1fedffef5', '\uf1a0\ufffd\uf5fe'],
  ['UTF-16LE', '7f30e1dcfec1009f', '\u307f\ufffd\uc1fe\u9f00'],
  ['UTF-16LE', 'f5e080dfa000', '\ue0f5\ufffd\u00a0'],
  ['UTF-16LE', 'e1c2e1', '\uc2e1\ufffd'],
  ['UTF-16LE', '41c190', '\uc141\ufffd'],
  ['UTF-16BE', 'd8dcffc2', '\ufffd'],
  ['UTF-16BE', 'e0c2f580e0edc2', '\ue0c2\uf580\ue0ed\ufffd'],
  ['UTF-16BE', 'ffed9030e1', '\uffed\u9030\ufffd'],
  ['UTF-16BE', 'f0efe0', '\uf0ef\ufffd'],
  ['UTF-16BE', '61c180', '\u61c1\ufffd'],
  ['UTF-16BE', 'c1c18f', '\uc1c1\ufffd'],
  ['UTF-16BE', '900000f5dc', '\u9000\u00f5\ufffd'],
  ['UTF-16BE', 'd841edf4c2f56100', '\ufffd\uc2f5\u6100'],
  ['UTF-16BE', 'dc80d8c2', '\ufffd\ufffd'],
  ['UTF-16BE', '90e1df', '\u90e1\ufffd'],
  ['UTF-32', 'd80dc2c1f5', '\ufffd\ufffd'],
  ['UTF-32', '00c2f4fe7f', '\ufffd\ufffd'],
  ['UTF-32', 'ed098fd8', '\ufffd'],
  ['UTF-32', '0005e1c00004c1', '\ud938\uddc0\ufffd'],
  ['UTF-32', 'ed41008030', '\ufffd\ufffd'],
  ['UTF-32', '00bff0', '\ufffd'],
  ['UTF-32', '30f1413000', '\ufffd\ufffd'],
  ['UTF-32', 'bf10f4f1000300bf', '\ufffd\ud880\udcbf'],
  ['UTF-32', 'dc0fe0ed000f', '\ufffd\ufffd'],
  ['UTF-32', 'ef0ec0ff0011a000', '\ufffd\ufffd'],
  ['UTF-32BE', '000bc2f100dc', '\udab0\udef1\ufffd'],
  ['UTF-32BE', '00f47ff000', '\ufffd\ufffd'],
  ['UTF-32BE', '00df30', '\ufffd'],
  ['UTF-32BE', '001080a0308000', '\udbe0\udca0\ufffd'],
  ['UTF-32BE', '00dcc2ed000e', '\ufffd\ufffd'],
  ['UTF-32BE', 'bf00dcff00', '\ufffd\ufffd'],
  ['UTF-32BE', '000f61df9fe0df', '\udb98\udddf\ufffd'],
  ['UTF-32BE', '0005d88fe0', '\ud936\udc8f\ufffd'],
  ['UTF-32BE', '0005efc100', '\ud93b\udfc1\ufffd'],
  ['UTF-32BE', 'f50b8f0000', '\ufffd\ufffd'],
  ['UTF-32LE', 'c0a08f00', '\ufffd'],
  ['UTF-32LE', 'f0fe8f00e0c1', '\ufffd\ufffd'],
  ['UTF-32LE', '7fc101419f', '\ufffd\ufffd'],
  ['UTF-32LE', 'ff61a00080', '\ufffd\ufffd'],
  ['UTF-32LE', 'feed0f00e18f', '\udbbb\uddfe\ufffd'],
  ['UTF-32LE', 'bf800a', '\ufffd'],
  ['UTF-32LE', '00c1ef8f9f000f00', '\ufffd\udb80\udc9f'],
  ['UTF-32LE', 'df3007f0dc4111fe', '\ufffd\ufffd'],
  ['UTF-32LE', '41fe04', '\ufffd'],
  ['UTF-32LE', 'c1e08f', '\ufffd'],
  ['US-ASCII', '7fc2eff4', '\u007f\ufffd\ufffd\ufffd'],
  ['US-ASCII', 'c2e0e190fef5df30', '\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\u0030'],
  ['US-ASCII', 'e1c2dcc090efc0bf', '\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd'],
  ['US-ASCII', 'bf', '\ufffd'],
  ['US-ASCII', 'f0c0d880e1', '\ufffd\ufffd\ufffd\ufffd\ufffd'],
  ['US-ASCII', 'c07fe1f4d8', '\ufffd\u007f\ufffd\ufffd\ufffd'],
  ['US-ASCII', 'fff100fef1f041', '\ufffd\ufffd\u0000\ufffd\ufffd\ufffd\u0041'],
  ['US-ASCII', '00c0', '\u0000\ufffd'],
  ['US-ASCII', '8f7f90c1bf', '\ufffd\u007f\ufffd\ufffd\ufffd'],
  ['US-ASCII', 'f0f1', '\ufffd\ufffd'],
])('malformed %s %s', (charset, hex, text) => {
  expect(decode(charset, hex)).toBe(text)
})

/** The 256 characters in UTF-16, as OpenJDK 17 has them, hashed. */
test.each([
  ['IBM866', '6884700281a79d62'],
  ['ISO-8859-1', '61482ec57cbd122d'],
  ['ISO-8859-13', 'a5859b1cf7499c49'],
  ['ISO-8859-15', '928ef2303ecab9c9'],
  ['ISO-8859-2', '5b0f6ebe2c85796c'],
  ['ISO-8859-3', '0c2674d51a0fa901'],
  ['ISO-8859-4', '8f4b8cc2a26746ef'],
  ['ISO-8859-5', '8395eb84af99e27a'],
  ['ISO-8859-6', '622113867bb486c6'],
  ['ISO-8859-7', '57ca020e70a568aa'],
  ['ISO-8859-8', '7eba0b6c7ed8a456'],
  ['ISO-8859-9', 'd782d62f8ecf6190'],
  ['KOI8-R', '9ba5a2aac5b6981c'],
  ['KOI8-U', 'a9fc6922d068d03b'],
  ['US-ASCII', '86edcb98e4983d49'],
  ['windows-1250', '736e2a0ba853f715'],
  ['windows-1251', '907267455e7f58f9'],
  ['windows-1252', 'ca508d88e1d4bdc9'],
  ['windows-1253', '0301700bf7b2bb1d'],
  ['windows-1254', '3312c3c77b3813fc'],
  ['windows-1255', 'eb7e12f7f88f17e2'],
  ['windows-1256', '024092a6e1e19cbb'],
  ['windows-1257', '979b2be78f343013'],
  ['windows-1258', 'd9aa51d19fe34245'],
])('each byte in %s', (charset, digest) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const units = Array.from(decoderFor(charset)(bytes, 0, 256), (unit) =>
    unit.charCodeAt(0).toString(16).padStart(4, '0'),
  )
  expect(createHash('sha256').update(units.join('')).digest('hex').slice(0, 16)).toBe(digest)
})

test.each([
  ['nope', 'java.nio.charset.UnsupportedCharsetException: nope'],
  ['IBM500', 'java.nio.charset.UnsupportedCharsetException: IBM500'],
  ['not a name', 'java.nio.charset.IllegalCharsetNameException: not a name'],
  ['', 'java.nio.charset.IllegalCharsetNameException: '],
])('%j is no charset', (name, message) => {
  expect(() => decoderFor(name)).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT', message }))
})
