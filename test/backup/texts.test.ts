/** The texts of moments and of backups: they are read as they were written, and any other text is refused. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Backup, decodeBackup, encodeBackup } from '../../src/backup/backup-record.ts'
import { isPathInside, type Moment, momentLine, parseMoment } from '../../src/store/kept-moment.ts'
import { SEED, testRuns } from '../harness/test-runs.ts'

const options = { numRuns: testRuns(300), ...(SEED !== undefined && { seed: SEED }) }
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
const anyBytes = fc.maxSafeNat()
const anyPath = fc
  .array(anyText, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
  .filter(isPathInside)
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined })
const withoutUndefined = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const anyMoment: fc.Arbitrary<Moment> = fc
  .record({
    format: fc.constant(1 as const),
    id: anyText,
    createdAt: anyBytes,
    clusterId: anyText,
    tables: fc.array(anyText),
    missing: fc.array(anyText),
    damaged: optional(fc.array(anyText)),
    files: fc.array(
      fc.record({
        name: fc.constantFrom('list', 'manifest', '0000000007', '0000000001.log'),
        path: anyPath,
        bytes: anyBytes,
        id: optional(anyText),
        table: optional(anyText),
      }),
    ),
  })
  .map(withoutUndefined)

const anyBackup: fc.Arbitrary<Backup> = fc
  .record({
    format: fc.constant(1 as const),
    at: fc.nat(),
    clusterId: anyText,
    server: anyText,
    tables: fc.array(anyText),
    missing: fc.array(anyText),
    bytes: anyBytes,
    newBytes: anyBytes,
    files: fc.array(
      fc.record({
        path: anyPath,
        bytes: anyBytes,
        content: anyPath,
        sha256: optional(fc.constant('0a'.repeat(32))),
        table: optional(anyText),
      }),
    ),
  })
  .map(withoutUndefined)

function momentText({ files, ...facts }: Moment): string {
  return [momentLine(facts), ...files.map(momentLine)].join('')
}

test('a moment and a backup are read as they were written', () => {
  fc.assert(
    fc.property(anyMoment, (moment) => {
      expect(parseMoment(momentText(moment))).toEqual(moment)
    }),
    options,
  )
  fc.assert(
    fc.property(anyBackup, (backup) => {
      expect(decodeBackup(encodeBackup(backup))).toEqual(backup)
    }),
    options,
  )
})

test('a changed backup is refused, and no text at all is taken for one by chance', () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    by: fc.integer({ min: 1, max: 127 }),
  })
  fc.assert(
    fc.property(anyBackup, change, (backup, { at, by }) => {
      const bytes = Buffer.from(encodeBackup(backup))
      // The last line ends with the text: what follows its checksum counts for nothing.
      const index = Math.floor(at * (bytes.length - 1))
      bytes[index] = bytes[index]! ^ by
      const changed = bytes.toString()
      expect(() => decodeBackup(changed)).toThrow()
    }),
    options,
  )
  fc.assert(
    fc.property(fc.oneof(anyText, fc.json()), (text) => {
      expect(() => decodeBackup(text)).toThrow()
      expect(() => parseMoment(text)).toThrow()
    }),
    options,
  )
})

test.each([
  ['another folder', { name: 'a/b' }],
  ['a folder above', { name: '..' }],
  ['a file of the system', { name: '../../../etc/passwd' }],
  ['an empty name', { name: '' }],
  ['a path above', { path: '../x' }],
  ['a path from the root', { path: '/etc/passwd' }],
  ['a path with a way back', { path: 'data/../../x' }],
  ['a path with a null', { path: 'data/\0' }],
  ['a negative size', { bytes: -1 }],
  ['a size that is no number', { bytes: '1' }],
  ['no size', { bytes: undefined }],
  ['a path that is no text', { path: 7 }],
])('a list with %s is refused', (_, change) => {
  const facts = { format: 1, id: 'i', createdAt: 1, clusterId: 'c', tables: [], missing: [] }
  const file = { name: '0000000001', path: 'data/x', bytes: 1, ...change }
  const text = `${JSON.stringify(facts)}\n${JSON.stringify(file)}\n`
  expect(() => parseMoment(text)).toThrow('line 2 is no file of a moment')
})
