/** Bodies of answers in the form of gzip (RFC 1952), for clients that accept it. */

import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import { crc32 } from '../../../wire/checksums/checksums.ts'

/** Such a body fits into one packet of the network, zipped or not. Deflating it takes 14 us, as much as all of a small read. */
const STORED_BYTES_MAX = 1024
/** Up to this size, deflating takes less time than handing the body to another thread, and holds up other clients for 0.2 ms at most. */
const AT_ONCE_BYTES_MAX = 8 * 1024

/** Identification, deflate, no flags, no time, no extra flags, an unknown system; then the last block, which is stored. */
const STORED_HEAD: readonly number[] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1]
/** The head, and the length of the block and its complement. */
const STORED_HEAD_BYTES = STORED_HEAD.length + 4
const TRAILER_BYTES = 8

const inOtherThread: (bytes: Buffer) => Promise<Buffer> = promisify(gzip)

/** The zipped body; a promise where it is large. */
export function zippedBody(body: Buffer): Buffer | Promise<Buffer> {
  return body.length <= AT_ONCE_BYTES_MAX ? zippedAtOnce(body)! : inOtherThread(body)
}

/** The zipped body; undefined where it is large. */
export function zippedAtOnce(body: Buffer): Buffer | undefined {
  if (body.length <= STORED_BYTES_MAX) return storedBody(body)
  return body.length <= AT_ONCE_BYTES_MAX ? gzipSync(body) : undefined
}

/** The body as one stored block of deflate: 23 bytes more than the body. */
function storedBody(body: Buffer): Buffer {
  const { length } = body
  const zipped = Buffer.allocUnsafe(STORED_HEAD_BYTES + length + TRAILER_BYTES)
  zipped.set(STORED_HEAD)
  zipped.writeUInt16LE(length, STORED_HEAD.length)
  zipped.writeUInt16LE(~length & 0xffff, STORED_HEAD.length + 2)
  zipped.set(body, STORED_HEAD_BYTES)
  const end = STORED_HEAD_BYTES + length
  zipped.writeUInt32LE(crc32(body), end)
  zipped.writeUInt32LE(length, end + 4)
  return zipped
}
