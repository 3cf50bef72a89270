/** Store files as HBase wrote them, in every encoding and compression: opened, sought in and read to the end. */

import { readdirSync, readFileSync } from 'node:fs'
import { LruBlockCache } from '../../adapters/native/hfile/block-cache.ts'
import { BLOCK_HEADER_BYTES, HeaderField } from '../../adapters/native/hfile/block-header.ts'
import { ChecksumType, checksumsBytes, writeChecksums } from '../../adapters/native/hfile/checksum.ts'
import { openHFile } from '../../adapters/native/hfile/hfile.ts'
import { packageRoot } from '../../src/package-root.ts'
import { MemoryFile } from '../adapters/native/hfile/memory-file.ts'
import type { FuzzTarget, KeptBytes } from '../harness/fuzz/fuzz-target.ts'

const FIXTURES = new URL('test/adapters/native/hfile/fixtures/', packageRoot())
const TRAILER_BYTES = 4096
const NEWEST = Number.MAX_SAFE_INTEGER
const ROW = Buffer.from('row030')
/** A damaged index may lead from block to block in a circle: the file's own blocks hold fewer cells. */
const CELLS_MAX = 10_000

/** Makes the checksums of the blocks right, as far as their lengths lead from one to the next. */
function seal(input: Buffer): Buffer {
  const end = input.length - TRAILER_BYTES
  for (let at = 0; at + BLOCK_HEADER_BYTES <= end; ) {
    const rest = input.readInt32BE(at + HeaderField.OnDiskBytesWithoutHeader)
    const dataBytes = input.readInt32BE(at + HeaderField.OnDiskDataBytesWithHeader)
    const step = input.readInt32BE(at + HeaderField.BytesPerChecksum)
    const type = input[at + HeaderField.ChecksumType]
    const isKnown = type === ChecksumType.Crc32 || type === ChecksumType.Crc32c
    if (!isKnown || step < 1 || dataBytes < BLOCK_HEADER_BYTES || rest < 0) break
    const sumsEnd = at + dataBytes + checksumsBytes(type, dataBytes, step)
    if (sumsEnd > end) break
    writeChecksums(type, input, at, at + dataBytes, step, input, at + dataBytes)
    at += BLOCK_HEADER_BYTES + rest
  }
  return input
}

/** A few KB of ZSTD may rightly be a block of 32 MiB, for which its library's memory grows once. */
const KEPT: KeptBytes = { base: 48 * 1024 * 1024, perByte: 8 }

function readAll(input: Buffer): unknown {
  const file = openHFile(new MemoryFile('/store/file', input), { fileId: 1, blockCache: new LruBlockCache() })
  const hits = [file.mayHaveRow(ROW), file.mayHaveColumn(ROW, ROW), file.mayHaveFamilyDelete(ROW)]
  const at = file.iterator(NEWEST)
  let cells = 0
  for (at.seekToFirst(); at.valid && cells < CELLS_MAX; at.next()) cells++
  at.seekBeforeRow(ROW)
  return [file.info, file.middleKey(), hits, cells]
}

export const storeFile: FuzzTarget = {
  name: 'store-file',
  seeds: () =>
    readdirSync(FIXTURES)
      .filter((name) => name.endsWith('.hfile'))
      .map((name) => readFileSync(new URL(name, FIXTURES))),
  seal,
  kept: KEPT,
  run: readAll,
}
