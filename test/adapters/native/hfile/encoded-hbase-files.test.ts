/**
 * Files that HBase 2.6.1's StoreFileWriter made of fixture-cells.ts in every codec and data block encoding, BLOCKSIZE 2048,
 * its own codecs of hbase-compression-snappy, -lz4 and -zstd.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { codecByName } from '../../../../adapters/native/hfile/compression.ts'
import { encodingByName } from '../../../../adapters/native/hfile/encoding/encodings.ts'
import { HFileWriter } from '../../../../adapters/native/hfile/hfile-writer.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import { allCells, NEWEST, open, type StoredCell, text } from './cells.ts'
import { expectedCells, manyTags } from './fixture-cells.ts'
import { MemoryFile } from './memory-file.ts'

const CODECS = ['none', 'gz', 'snappy', 'lz4', 'zstd']
const ENCODINGS = ['none', 'prefix', 'diff', 'fast_diff', 'row_index_v1']
const FILES = CODECS.flatMap((codec) => ENCODINGS.map((encoding) => [codec, encoding] as const)).filter(
  ([codec, encoding]) => codec !== 'none' || encoding !== 'none',
)

function hbaseFile(codec: string, encoding: string): MemoryFile {
  const name = `hbase-2.6.1-${codec}-${encoding}.hfile`
  return new MemoryFile(
    name,
    readFileSync(new URL(`test/adapters/native/hfile/fixtures/${name}`, packageRoot())),
  )
}

function ourFile(
  codec: string,
  encoding: string,
  cells: readonly StoredCell[] = expectedCells(),
  blockBytes = 2048,
): MemoryFile {
  const file = new MemoryFile()
  const writer = new HFileWriter(file, {
    createTime: 1_700_000_000_000,
    blockBytes,
    includeTags: true,
    codec: codecByName(codec)!,
    encoding: encodingByName(encoding),
  })
  for (const { keyValue, sequenceId, tags } of cells)
    writer.append(Buffer.concat([keyValue, tags]), 0, sequenceId, keyValue.length, tags.length)
  writer.finish({ maxSequenceId: 70, majorCompaction: false })
  return file
}

describe.each(FILES)('%s, %s', (codec, encoding) => {
  test('every cell that HBase wrote, walked and sought', () => {
    const hfile = open(hbaseFile(codec, encoding))
    expect(allCells(hfile).map(text)).toEqual(expectedCells().map(text))
    const at = hfile.iterator(NEWEST)
    for (const { keyValue } of expectedCells()) {
      at.seek(keyValue, 0)
      expect(at.buffer.subarray(at.cell, at.cell + at.cellBytes).equals(keyValue)).toBe(true)
    }
  })

  test('our file has the same cells and info', () => {
    const [ours, theirs] = [open(ourFile(codec, encoding)), open(hbaseFile(codec, encoding))]
    expect(allCells(ours).map(text)).toEqual(expectedCells().map(text))
    expect([...ours.info.entries()]).toEqual([...theirs.info.entries()])
    expect(ours.trailer.codecOrdinal).toBe(theirs.trailer.codecOrdinal)
    expect(ours.trailer.uncompressedBytes).toBe(theirs.trailer.uncompressedBytes)
  })
})

test.each(ENCODINGS.slice(1))('%s: our file is theirs, byte for byte', (encoding) => {
  expect(ourFile('none', encoding).bytes.equals(hbaseFile('none', encoding).bytes)).toBe(true)
})

test('the dictionary of tags forgets the ones that HBase forgets', () => {
  const theirs = hbaseFile('none', 'tags')
  expect(allCells(open(theirs)).map(text)).toEqual(manyTags().map(text))
  expect(ourFile('none', 'prefix', manyTags(), 65536).bytes.equals(theirs.bytes)).toBe(true)
})
