import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BlockType } from '../../../../adapters/native/hfile/block-type.ts'
import {
  BYTES_PER_CHECKSUM,
  ChecksumType,
  writeChecksums,
} from '../../../../adapters/native/hfile/checksum.ts'
import { GZ_COMPRESSION } from '../../../../adapters/native/hfile/compression.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { allCells, keyValue, NEWEST, open, type StoredCell, stored, writeFile } from './cells.ts'
import { MemoryFile } from './memory-file.ts'

const CELLS: readonly StoredCell[] = Array.from({ length: 60 }, (_, i) =>
  stored(
    keyValue(`row${String(i).padStart(3, '0')}`, 'q', 5n, i % 9 === 0 ? CellType.DeleteFamily : CellType.Put),
    i,
  ),
)

const LAYOUT = { blockBytes: 1, indexBlockBytes: 64, includeTags: true } as const

/** Calls every method of the reader, so that it reads every block of the file. */
function readAll(file: MemoryFile): StoredCell[] {
  const hfile = open(file)
  const at = hfile.iterator(NEWEST)
  for (const { keyValue } of CELLS) {
    const row = keyValue.subarray(10, 16)
    hfile.mayHaveRow(row)
    hfile.mayHaveFamilyDelete(row)
    hfile.mayHaveColumn(row, Buffer.from('q'))
    at.seek(keyValue, 0)
  }
  at.seekBeforeRow(EMPTY)
  hfile.middleKey()
  return allCells(hfile)
}

/** The error's code, else `same` or `other` for the cells read. */
function outcome(file: MemoryFile): string {
  try {
    const cells = readAll(file)
    return cells.length === CELLS.length && cells.every((cell, i) => cell.keyValue.equals(CELLS[i]!.keyValue))
      ? 'same'
      : 'other'
  } catch (error) {
    if (error instanceof HBaseError) return error.code
    throw error
  }
}

function damaged(file: MemoryFile, damage: (bytes: Buffer) => void): MemoryFile {
  const bytes = Buffer.from(file.bytes)
  damage(bytes)
  return new MemoryFile('/store/damaged', bytes)
}

function error(file: MemoryFile): HBaseError {
  try {
    readAll(file)
  } catch (error) {
    if (error instanceof HBaseError) return error
    throw error
  }
  throw new Error('the damage was not noticed')
}

interface BlockAt {
  readonly type: string
  readonly offset: number
  readonly dataEnd: number
}

/** All blocks of a file, by walking their headers. */
function blocksOf({ bytes }: MemoryFile): BlockAt[] {
  const blocks: BlockAt[] = []
  for (let offset = 0; offset < bytes.length - 4096; offset += 33 + bytes.readInt32BE(offset + 8)) {
    const type = bytes.toString('latin1', offset, offset + 8)
    blocks.push({ type, offset, dataEnd: offset + bytes.readInt32BE(offset + 29) })
  }
  return blocks
}

/** Makes a block's checksums right again, as an attacker or a bad disk controller might. */
function sumAgain(bytes: Buffer, { offset, dataEnd }: BlockAt): void {
  writeChecksums(ChecksumType.Crc32c, bytes, offset, dataEnd, BYTES_PER_CHECKSUM, bytes, dataEnd)
}

describe.each(['ROW', 'ROWCOL'] as const)('a file with a %s filter', (bloomType) => {
  const file = writeFile(CELLS, { ...LAYOUT, bloomType })
  const end = file.size() - 4096

  test('has every kind of block', () => {
    const types = new Set(blocksOf(file).map(({ type }) => type))
    for (const type of [
      'Data',
      'LeafIndex',
      'IntermediateIndex',
      'RootIndex',
      'BloomChunk',
      'FileInfo',
    ] as const) {
      expect(types).toContain(BlockType[type])
    }
    expect(outcome(file)).toBe('same')
  })

  test('a flipped bit before the trailer is corruption, in headers and all over', () => {
    const headers = blocksOf(file)
      .filter(({ type }, i, all) => all.findIndex((block) => block.type === type) === i)
      .flatMap(({ offset }) => Array.from({ length: 33 }, (_, i) => offset + i))
    const elsewhere = Array.from({ length: Math.floor(end / 97) }, (_, i) => i * 97)
    for (const at of [...headers, ...elsewhere]) {
      const flipped = damaged(file, (bytes) => {
        bytes[at]! ^= 1 << (at & 7)
      })
      expect([at, outcome(flipped)]).toEqual([at, 'CORRUPTION'])
    }
  })

  test('a flipped bit of the trailer is noticed or does not matter', () => {
    const seen = new Set<string>()
    for (let at = end; at < file.size(); at++) {
      if (at > end + 120 && at < file.size() - 4) continue
      for (let bit = 0; bit < 8; bit++) {
        const flipped = damaged(file, (bytes) => {
          bytes[at]! ^= 1 << bit
        })
        seen.add(outcome(flipped))
      }
    }
    expect([...seen].sort()).toEqual(['CORRUPTION', 'IO', 'same'])
  })

  test('a file cut short anywhere is corruption', () => {
    for (let length = 0; length < file.size(); length += 13) {
      const cut = new MemoryFile('/store/cut', file.bytes.subarray(0, length))
      expect([length, outcome(cut)]).toEqual([length, 'CORRUPTION'])
    }
  })

  test('wrong bytes under right checksums end in an error or in cells, soon', () => {
    const blocks = blocksOf(file)
    const places = fc.tuple(fc.nat(blocks.length - 1), fc.nat(), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(places, { minLength: 1, maxLength: 3 }), (changes) => {
        const forged = damaged(file, (bytes) => {
          for (const [i, where, byte] of changes) {
            const block = blocks[i]!
            const from = block.offset + 33
            if (block.dataEnd > from) bytes[from + (where % (block.dataEnd - from))] = byte
            sumAgain(bytes, block)
          }
        })
        expect(['CORRUPTION', 'IO', 'same', 'other']).toContain(outcome(forged))
      }),
      { numRuns: testRuns(200) },
    )
  })
})

describe('the error tells where', () => {
  const file = writeFile(CELLS, LAYOUT)
  const blocks = blocksOf(file)

  test('a checksum: file, offset of its chunk, both sums', () => {
    const block = blocks[1]!
    const found = error(damaged(file, (bytes) => void (bytes[block.dataEnd - 1]! ^= 1)))
    expect(found.code).toBe('CORRUPTION')
    expect(found.detail).toMatchObject({ path: '/store/damaged', offset: block.offset })
    expect(found.message).toMatch(/checksum at offset \d+: expected 0x[0-9a-f]{8}, found 0x[0-9a-f]{8}$/)
  })

  test('a size of two gigabytes in a header allocates nothing', () => {
    for (const field of [8, 12, 29]) {
      for (const claim of [0x7fffffff, -1, -0x80000000]) {
        const found = error(
          damaged(file, (bytes) => void bytes.writeInt32BE(claim, blocks[0]!.offset + field)),
        )
        expect([field, claim, found.code]).toEqual([field, claim, 'CORRUPTION'])
        const root = blocks.find(({ type }) => type === BlockType.RootIndex)!
        expect(
          error(damaged(file, (bytes) => void bytes.writeInt32BE(claim, root.offset + field))).code,
        ).toBe('CORRUPTION')
      }
    }
  })

  test('a cell that reaches past its block', () => {
    const block = blocks[0]!
    for (const [field, claim] of [
      [0, 0x7fffffff],
      [4, 0x7fffffff],
      [0, -1],
      [4, -1],
      [0, 3],
    ] as const) {
      const found = error(
        damaged(file, (bytes) => {
          bytes.writeInt32BE(claim, block.offset + 33 + field)
          sumAgain(bytes, block)
        }),
      )
      expect(found.code).toBe('CORRUPTION')
      expect(found.message).toContain('cell 0')
    }
  })

  test('an index that leads in a circle ends', () => {
    const root = blocks.find(({ type }) => type === BlockType.RootIndex)!
    const leaves = blocks.filter(({ type }) => type === BlockType.LeafIndex)
    const circle = damaged(file, (bytes) => {
      for (const leaf of leaves) {
        // Every entry of every leaf names the first data block.
        const count = bytes.readInt32BE(leaf.offset + 33)
        for (let i = 0; i < count; i++) {
          const entry = leaf.offset + 33 + 4 * (count + 2) + bytes.readInt32BE(leaf.offset + 37 + 4 * i)
          bytes.writeBigInt64BE(0n, entry)
          bytes.writeInt32BE(blocks[1]!.offset, entry + 8)
        }
        sumAgain(bytes, leaf)
      }
    })
    expect(root.offset).toBeGreaterThan(0)
    expect(error(circle).message).toContain('data block at offset 0')
  })

  test('compressed data that does not decompress, or to another length', () => {
    const compressed = writeFile(CELLS, { ...LAYOUT, codec: GZ_COMPRESSION })
    const block = blocksOf(compressed)[0]!
    const garbage = damaged(compressed, (bytes) => {
      bytes.fill(0x5a, block.offset + 33, block.dataEnd)
      sumAgain(bytes, block)
    })
    expect(error(garbage).message).toContain('GZ data')
    for (const claim of [1, 100_000]) {
      const longer = damaged(compressed, (bytes) => {
        bytes.writeInt32BE(claim, block.offset + 12)
        sumAgain(bytes, block)
      })
      expect(error(longer).code).toBe('CORRUPTION')
    }
  })

  test('a payload larger than its data can make allocates nothing', () => {
    const compressed = writeFile(CELLS, { ...LAYOUT, codec: GZ_COMPRESSION })
    const block = blocksOf(compressed)[0]!
    const most = (block.dataEnd - block.offset - 33) * GZ_COMPRESSION.expansionMax
    for (const [claim, words] of [
      [most, 'GZ data'],
      [most + 1, `at most ${most}`],
    ] as const) {
      const forged = damaged(compressed, (bytes) => {
        bytes.writeInt32BE(claim, block.offset + 12)
        bytes.fill(0x5a, block.offset + 33, block.dataEnd)
        sumAgain(bytes, block)
      })
      expect(error(forged).message).toContain(words)
    }
  })

  test('a codec that is not here is named', () => {
    const at = file.bytes.lastIndexOf(Buffer.from([0x60, 2]))
    const found = error(damaged(file, (bytes) => void (bytes[at + 1] = 5)))
    expect(found.code).toBe('IO')
    expect(found.message).toContain('BZIP2')
  })
})
