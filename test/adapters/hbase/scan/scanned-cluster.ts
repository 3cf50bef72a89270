/** Tables of a fake cluster, and the found and expected results of a scan through an HBaseScanner. */

import { HBaseScanner } from '../../../../adapters/hbase/scan/hbase-scanner.ts'
import { ReadAhead } from '../../../../adapters/hbase/scan/read-ahead.ts'
import { ScanSource } from '../../../../adapters/hbase/scan/scan-source.ts'
import { decidesOnWholeRows } from '../../../../src/filter/evaluate/whole-rows.ts'
import { compareBytes } from '../../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { resultTexts } from '../../../store/suite/store-under-test.ts'
import { FakeCluster, TABLE } from '../fake-cluster.ts'

export const ALL: ScanLimits = { rows: 1_000_000, bytes: 1_000_000_000, allowPartial: false }

/** Cells q000, q001, ... of each row; `sizes` by row. */
export function cellsOfRows(sizes: Readonly<Record<string, number>>): CellParts[] {
  return Object.entries(sizes)
    .sort(([a], [b]) => compareBytes(Buffer.from(a), Buffer.from(b)))
    .flatMap(([row, size]) =>
      Array.from({ length: size }, (_, i) => ({
        row: Buffer.from(row),
        family: Buffer.from('f'),
        qualifier: Buffer.from(`q${String(i).padStart(3, '0')}`),
        timestamp: 5n,
        type: CellType.Put,
        value: Buffer.from('v'),
      })),
    )
}

/** `a0-2` for a result of the cells q000 to q002 of row a. */
export function outline(text: string): string {
  const qualifiers = [...text.matchAll(/:q(\d+)@/g)].map((match) => Number(match[1]))
  return `${text.slice(0, text.indexOf('/'))}${qualifiers[0]}-${qualifiers.at(-1)}`
}

export async function opened(
  fake: FakeCluster,
  options: Partial<Scan>,
  { rowsMax = 1_000, readAhead = new ReadAhead() }: { rowsMax?: number; readAhead?: ReadAhead } = {},
  call: Call = OWN_CALL,
): Promise<HBaseScanner> {
  const wanted = scan(options)
  const source = new ScanSource(fake.cluster, TABLE, wanted, readAhead)
  const scanner = new HBaseScanner({
    source,
    batch: wanted.batch,
    hasParts: !decidesOnWholeRows(wanted.filter),
    rowsMax,
    readAhead,
    retrier: fake.cluster.retrier,
    lend: fake.lend,
  })
  await scanner.open(wanted.firstRows ?? 0, call)
  return scanner
}

const RETRYABLE: ReadonlySet<string> = new Set(['UNAVAILABLE', 'TIMEOUT', 'IO', 'NOT_SERVING_REGION'])

/** Asks again, as clients do, where the cluster was away for longer than a call may take. */
async function persistent<T>(fake: FakeCluster, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await fake.passing(call())
    } catch (error) {
      if (!isHBaseError(error) || !RETRYABLE.has(error.code)) throw error
    }
  }
}

export async function results(
  fake: FakeCluster,
  options: Partial<Scan>,
  limits: ScanLimits = ALL,
): Promise<string[]> {
  const scanner = await persistent(fake, () => opened(fake, options))
  const texts: string[] = []
  for (;;) {
    const batch = await persistent(fake, () => scanner.next(limits, OWN_CALL))
    texts.push(...resultTexts(batch.results).map(outline))
    fake.release(batch.results.loan)
    if (batch.ended === 'scan') break
  }
  await scanner.close()
  return texts
}

/** The expected results of a scan, without servers. */
export function expected(sizes: Readonly<Record<string, number>>, options: Partial<Scan>): string[] {
  const { startRow, stopRow, includeStartRow, includeStopRow, reversed, batch, limit } = scan(options)
  const direction = reversed ? -1 : 1
  let rows = Object.keys(sizes)
    .filter((row) => sizes[row]! > 0)
    .sort((a, b) => compareBytes(Buffer.from(a), Buffer.from(b)) * direction)
    .filter((row) => {
      const fromStart = startRow.length === 0 ? 1 : compareBytes(Buffer.from(row), startRow) * direction
      const toStop = stopRow.length === 0 ? -1 : compareBytes(Buffer.from(row), stopRow) * direction
      const isFrom = fromStart > 0 || (fromStart === 0 && includeStartRow)
      return isFrom && (toStop < 0 || (toStop === 0 && includeStopRow))
    })
  if (limit > 0) rows = rows.slice(0, limit)
  return rows.flatMap((row) => {
    const size = sizes[row]!
    const part = batch > 0 ? batch : size
    return Array.from({ length: Math.ceil(size / part) }, (_, i) => {
      return `${row}${i * part}-${Math.min(size, (i + 1) * part) - 1}`
    })
  })
}
