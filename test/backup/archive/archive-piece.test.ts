/** Pieces of archived logs: they are read as they were written, and damage is noticed wherever it is. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeader, decodePiece, encodePiece } from '../../../src/backup/archive/archive-piece.ts'
import type { StreamEntry } from '../../../src/store/log-streams.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const options = { numRuns: testRuns(200), ...(SEED !== undefined && { seed: SEED }) }
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
const anyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))
const at = fc.maxSafeInteger()

const anyEntry: fc.Arbitrary<StreamEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('records' as const),
    at,
    log: fc.maxSafeNat(),
    offset: fc.maxSafeNat(),
    bytes: anyBytes,
  }),
  fc.record({ kind: fc.constant('change' as const), at, bytes: anyBytes }),
  fc.record({ kind: fc.constant('moment' as const), at, id: anyText }),
  fc.record({ kind: fc.constant('unlogged' as const), at, table: anyText }),
)
const anyEntries = fc.array(anyEntry, { minLength: 1, maxLength: 6 })
const NAMED = { clusterId: 'c-1', stretch: '20261130T034440Z-1a2b', first: 3, last: 7 }

function pieceOf(entries: readonly StreamEntry[]): Buffer {
  return Buffer.concat(encodePiece(NAMED, entries))
}

test('a piece is read as it was written, and its header says what is in it', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const { header, entries: read, fault } = decodePiece(pieceOf(entries))
      expect(fault).toBeUndefined()
      expect(read).toEqual(entries)
      const moments = entries.flatMap((entry) => (entry.kind === 'moment' ? [entry.id] : []))
      const times = { from: entries[0]!.at, to: entries.at(-1)!.at }
      expect(header).toEqual({ format: 1, ...NAMED, ...times, moments })
    }),
    options,
  )
})

test('of a piece that is cut, or changed at any byte, the entries before are read, and no other ones', () => {
  fc.assert(
    fc.property(anyEntries, fc.nat(), fc.integer({ min: 0, max: 255 }), (entries, place, change) => {
      const piece = pieceOf(entries)
      const index = place % piece.length
      const damaged = change === 0 ? piece.subarray(0, index) : Buffer.from(piece)
      if (change > 0) damaged[index]! ^= change
      try {
        const { entries: read, fault } = decodePiece(damaged)
        expect(fault).toBeDefined()
        expect(read).toEqual(entries.slice(0, read.length))
      } catch (error) {
        expect(String(error)).toMatch(/no piece|header is damaged|newer version/)
      }
    }),
    options,
  )
})

test('bytes behind its end, a newer format and other files are no piece', () => {
  const entries: StreamEntry[] = [{ kind: 'moment', at: 1, id: 'm' }]
  const piece = pieceOf(entries)
  expect(decodePiece(Buffer.concat([piece, Buffer.from([0])])).fault).toContain('more bytes follow')
  expect(() => decodeHeader(Buffer.from('TIDEWAL1'))).toThrow('no piece')
  expect(() => decodeHeader(Buffer.alloc(0))).toThrow('no piece')
  const { header } = decodeHeader(piece.subarray(0, piece.length - 40))
  expect(header.moments).toEqual(['m'])
})
