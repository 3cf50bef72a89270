/**
 * Hadoop's sequence files: records of a key and a value, plain or compressed by zlib, one by one or in blocks. Hadoop: SequenceFile.
 *
 *     file := "SEQ" 6 | keyClass | valueClass | compressed u8 | inBlocks u8 | codecClass? | metadata | sync[16] | records
 *     record := length i32 | keyLength i32 | key | value        or: -1 i32 | sync[16], now and then
 */

import { randomBytes } from 'node:crypto'
import { unzipSync } from 'node:zlib'
import { ByteFeed, vintBytes } from './byte-feed.ts'
import { MalformedFile } from './cell-format.ts'

const MAGIC = Buffer.from('SEQ')
const VERSION = 6
const SYNC_BYTES = 16
/** The most bytes between two sync marks, from which jobs can start in the middle of a file. Hadoop: SYNC_INTERVAL. */
const SYNC_INTERVAL = 2000
/** The most bytes of a record: a greater length is damage. */
const RECORD_BYTES_MAX = 1024 * 1024 * 1024
/** The most bytes of the lengths of a block's records, decompressed. By default Hadoop ends a block at 1 MB of records. */
const LENGTHS_BYTES_MAX = 16 * 1024 * 1024
/** Codecs whose output zlib reads. */
const CODECS: ReadonlySet<string> = new Set(
  ['DefaultCodec', 'DeflateCodec', 'GzipCodec'].map((name) => `org.apache.hadoop.io.compress.${name}`),
)

export interface SequenceRecord {
  readonly key: Buffer
  readonly value: Buffer
  /** The offset in the file after the record. */
  readonly offset: number
}

interface Header {
  readonly keyClass: string
  readonly valueClass: string
  readonly isCompressed: boolean
  readonly isInBlocks: boolean
  readonly sync: Buffer
}

/** The records of a file. Throws MalformedFile, also for other classes. */
export async function* sequenceRecords(
  chunks: AsyncIterable<Buffer>,
  keyClass: string,
  valueClass: string,
): AsyncGenerator<SequenceRecord> {
  const feed = new ByteFeed(chunks)
  const header = await readHeader(feed)
  if (header.keyClass !== keyClass || header.valueClass !== valueClass)
    throw new MalformedFile(
      `the file has ${header.keyClass} and ${header.valueClass}, not ${keyClass} and ${valueClass}`,
    )
  yield* header.isInBlocks ? blocks(feed, header) : singles(feed, header)
}

async function readHeader(feed: ByteFeed): Promise<Header> {
  const magic = await feed.take(4)
  if (!magic.subarray(0, 3).equals(MAGIC))
    throw new MalformedFile('it is no sequence file: it does not begin with SEQ')
  if (magic[3] !== VERSION) throw new MalformedFile(`a sequence file of version ${magic[3]}, not ${VERSION}`)
  const [keyClass, valueClass] = [await feed.text(), await feed.text()]
  const [compressed, inBlocks] = await feed.take(2)
  if (compressed !== 0) {
    const codec = await feed.text()
    if (!CODECS.has(codec)) throw new MalformedFile(`it is compressed by ${codec}, which is not known`)
  }
  for (let pairs = await feed.int32(); pairs > 0; pairs--) {
    await feed.text()
    await feed.text()
  }
  const sync = await feed.take(SYNC_BYTES)
  return { keyClass, valueClass, isCompressed: compressed !== 0, isInBlocks: inBlocks !== 0, sync }
}

async function* singles(feed: ByteFeed, { isCompressed, sync }: Header): AsyncGenerator<SequenceRecord> {
  while (!(await feed.atEnd())) {
    const length = await feed.int32()
    if (length === -1) {
      await checkSync(feed, sync)
      continue
    }
    const keyLength = await feed.int32()
    if (keyLength < 0 || length < keyLength || length > RECORD_BYTES_MAX)
      throw new MalformedFile(`byte ${feed.offset}: a record of ${length} bytes with a key of ${keyLength}`)
    const key = await feed.take(keyLength)
    const value = await feed.take(length - keyLength)
    yield { key, value: isCompressed ? unzipped(value, feed) : value, offset: feed.offset }
  }
}

async function* blocks(feed: ByteFeed, { sync }: Header): AsyncGenerator<SequenceRecord> {
  while (!(await feed.atEnd())) {
    if ((await feed.int32()) !== -1)
      throw new MalformedFile(`byte ${feed.offset}: a block begins with a sync`)
    await checkSync(feed, sync)
    const count = await feed.vint()
    const parts: Buffer[] = []
    for (let i = 0; i < 4; i++) {
      const bytesMax = i % 2 === 0 ? LENGTHS_BYTES_MAX : RECORD_BYTES_MAX
      parts.push(unzipped(await feed.take(await lengthOf(feed)), feed, bytesMax))
    }
    const [keyLengths, valueLengths] = [await vints(parts[0]!, count), await vints(parts[2]!, count)]
    const [keys, values] = [parts[1]!, parts[3]!]
    if (sumOf(keyLengths) !== keys.length || sumOf(valueLengths) !== values.length)
      throw new MalformedFile(
        `byte ${feed.offset}: the lengths of a block's records are not those of their bytes`,
      )
    let [keyAt, valueAt] = [0, 0]
    for (let i = 0; i < count; i++) {
      const key = keys.subarray(keyAt, (keyAt += keyLengths[i]!))
      const value = values.subarray(valueAt, (valueAt += valueLengths[i]!))
      yield { key, value, offset: feed.offset }
    }
  }
}

async function lengthOf(feed: ByteFeed): Promise<number> {
  const length = await feed.vint()
  if (length >= 0 && length <= RECORD_BYTES_MAX) return length
  throw new MalformedFile(`byte ${feed.offset}: a block of ${length} bytes`)
}

async function vints(bytes: Buffer, count: number): Promise<number[]> {
  const feed = new ByteFeed(once(bytes))
  const numbers: number[] = []
  for (let i = 0; i < count; i++) numbers.push(await feed.vint())
  return numbers
}

/** The sum; NaN where a length is negative. */
function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => (length < 0 ? Number.NaN : sum + length), 0)
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function checkSync(feed: ByteFeed, sync: Buffer): Promise<void> {
  const found = await feed.take(SYNC_BYTES)
  if (!found.equals(sync))
    throw new MalformedFile(`byte ${feed.offset}: the file is damaged: another sync than at its begin`)
}

function unzipped(bytes: Buffer, { offset }: ByteFeed, bytesMax = RECORD_BYTES_MAX): Buffer {
  try {
    return unzipSync(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    throw new MalformedFile(`byte ${offset}: what it has compressed is damaged: ${(error as Error).message}`)
  }
}

/** Writes an uncompressed file. */
export class SequenceWriter {
  readonly #sync = randomBytes(SYNC_BYTES)
  #sinceSync = 0

  header(keyClass: string, valueClass: string): Buffer {
    const texts = [keyClass, valueClass].flatMap((text) => [vintBytes(text.length), Buffer.from(text)])
    const plain = Buffer.from([0, 0])
    return Buffer.concat([MAGIC, Buffer.from([VERSION]), ...texts, plain, Buffer.alloc(4), this.#sync])
  }

  record(key: Buffer, value: Buffer): Buffer {
    const lengths = Buffer.alloc(8)
    lengths.writeInt32BE(key.length + value.length)
    lengths.writeInt32BE(key.length, 4)
    const parts = [lengths, key, value]
    if (this.#sinceSync >= SYNC_INTERVAL) {
      parts.unshift(Buffer.from([0xff, 0xff, 0xff, 0xff]), this.#sync)
      this.#sinceSync = 0
    }
    this.#sinceSync += lengths.length + key.length + value.length
    return Buffer.concat(parts)
  }
}
