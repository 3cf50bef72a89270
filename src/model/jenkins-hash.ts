/** The hash of old names of regions, hbase:meta's and its copies'. HBase: JenkinsHash, Bob Jenkins's lookup3 of 2006 with seed 0. */

const BLOCK_BYTES = 12
const START = 0xdeadbeef
const SIGN_BIT = 0x80000000

/** The hash as HBase writes it into a name: without its sign. */
export function jenkinsHash(bytes: Buffer): number {
  let a = (START + bytes.length) | 0
  let b = a
  let c = a
  let at = 0
  for (; bytes.length - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    a = (a + bytes.readInt32LE(at)) | 0
    b = (b + bytes.readInt32LE(at + 4)) | 0
    c = (c + bytes.readInt32LE(at + 8)) | 0
    a = ((a - c) ^ rotated(c, 4)) | 0
    c = (c + b) | 0
    b = ((b - a) ^ rotated(a, 6)) | 0
    a = (a + c) | 0
    c = ((c - b) ^ rotated(b, 8)) | 0
    b = (b + a) | 0
    a = ((a - c) ^ rotated(c, 16)) | 0
    c = (c + b) | 0
    b = ((b - a) ^ rotated(a, 19)) | 0
    a = (a + c) | 0
    c = ((c - b) ^ rotated(b, 4)) | 0
    b = (b + a) | 0
  }
  if (at === bytes.length) return positive(c)
  const rest = Buffer.alloc(BLOCK_BYTES)
  bytes.copy(rest, 0, at)
  a = (a + rest.readInt32LE(0)) | 0
  b = (b + rest.readInt32LE(4)) | 0
  c = (c + rest.readInt32LE(8)) | 0
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  c = ((c ^ b) - rotated(b, 24)) | 0
  return positive(c)
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

function positive(word: number): number {
  return Math.abs(word) % SIGN_BIT
}
