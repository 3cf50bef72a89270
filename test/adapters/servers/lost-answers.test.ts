/** Servers that lose scanners and answers: what was read is not read twice, and what may have been done is not done again. */

import { expect, test } from 'vitest'
import { javaErrorIn } from '../../../adapters/servers/requests/java-errors.ts'
import { Retries } from '../../../adapters/servers/requests/retries.ts'
import { DEFAULT_SERVER_LIMITS } from '../../../adapters/servers/requests/server-options.ts'
import { ServerScan } from '../../../adapters/servers/scans/server-scan.ts'
import { SaslReader } from '../../../adapters/servers/thrift/sasl-frames.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { decodeAnsweredCells } from '../../../src/wire/rest/cells-of-set.ts'

const TIME = { now: () => 0, pause: () => Promise.resolve() }

function cell(qualifier: string): CellParts {
  return {
    row: Buffer.from('row'),
    family: Buffer.from('f'),
    qualifier: Buffer.from(qualifier),
    timestamp: 1n,
    type: CellType.Put,
    value: Buffer.from('v'),
  }
}

test.each([1, 2, 3])('a row goes on once behind a forgotten scanner, in pieces of %i cells', async (size) => {
  const cells = Array.from('abcdefgh', cell)
  const ended: number[] = []
  let opened = 0
  const open = () => {
    const number = ++opened
    // The first scanner answers larger pieces than those after it.
    const bytes = number === 1 ? 4 : size
    let at = 0
    return {
      fetch: async (): Promise<CellBlock | undefined> => {
        if (number < 3 && at >= 4) throw new HBaseError('UNKNOWN_SCANNER', 'gone')
        const piece = cells.slice(at, at + bytes)
        at += bytes
        return piece.length === 0 ? undefined : blockOf(piece)
      },
      close: async (): Promise<void> => void ended.push(number),
    }
  }
  const scanned = new ServerScan(scan(), open)
  const { results } = await scanned.next({ rows: 10, bytes: 1e6, allowPartial: false }, OWN_CALL)
  expect(
    cellsOf(results.cells as CellBlock)
      .map(({ qualifier }) => qualifier.toString())
      .join(''),
  ).toBe('abcdefgh')
  expect(ended).toEqual([1, 2, 3])
})

const NOT_SERVED = 'org.apache.hadoop.hbase.NotServingRegionException: of row'

test.each([
  [
    `org.apache.hadoop.hbase.client.RetriesExhaustedException: Failed after attempts=3, exceptions:\n2026-11-26T00:00:00Z, ${NOT_SERVED}\n\tat x`,
    1,
  ],
  [
    `org.apache.hadoop.hbase.client.RetriesExhaustedException: Failed after attempts=1, exceptions:\n2026-11-26T00:00:00Z, ${NOT_SERVED}\n\tat x`,
    4,
  ],
  [NOT_SERVED, 4],
])('an increment is sent again only where no server has attempted it: %#', async (text, attempts) => {
  const error = javaErrorIn(text, 'IO')
  expect(error).toMatchObject({ code: 'NOT_SERVING_REGION' })
  expect(await attemptsOf({ isRepeatable: false }, error)).toBe(attempts)
  expect(await attemptsOf({ isRepeatable: true }, error)).toBe(4)
  expect(await attemptsOf({ isRepeatable: true, isTriedOnce: true }, error)).toBe(1)
})

async function attemptsOf(
  kind: { readonly isRepeatable: boolean; readonly isTriedOnce?: boolean },
  error: unknown,
): Promise<number> {
  let attempts = 0
  const retries = new Retries({ limits: { ...DEFAULT_SERVER_LIMITS, retriesMax: 3 }, time: TIME })
  const asked = retries.retrying({ name: 'increment', ...kind, call: OWN_CALL }, () => {
    attempts++
    return Promise.reject(error)
  })
  await expect(asked).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
  return attempts
}

test('a row that no table can have is none', () => {
  const answered = field(2, Buffer.concat([field(2, Buffer.from('f:q')), field(4, Buffer.from('v'))]))
  const row = Buffer.concat([field(1, Buffer.alloc(65_539, 'a')), answered])
  expect(() => decodeAnsweredCells(field(1, row))).toThrow(expect.objectContaining({ code: 'CORRUPTION' }))
})

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  return value < 0x80
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >>> 7)])
}

test('a frame behind a login that is too long is refused at its length', () => {
  const reader = new SaslReader(1000)
  expect(reader.push(Buffer.of(5, 0, 0, 0, 0, 0, 0, 0, 1, 7))).toEqual(Buffer.of(7))
  expect(() => reader.push(Buffer.of(0, 0, 4, 0))).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
})
