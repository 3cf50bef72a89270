/**
 * Scans with row filters, on the engine: their metrics, and whether they end with their region. Without metrics, the engine never reads rows
 * that such a filter rules out. The counts are those of a real HBase.
 */

import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { parseFilterString } from '../../../../src/filter/language/parse-filter-string.ts'
import { encodeFilter } from '../../../../src/filter/protobuf/encode-filter.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ClientService, type ScanResponse } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { FilterSchema } from '../../../../src/wire/rpc/gen/filter_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

let server: RpcServer

beforeEach(async () => {
  const own = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000 },
    random: Math.random,
  })
  server = await startRpcServer({ own })
  const batch = new MutationBatch()
  for (let i = 0; i < 10; i++)
    batch.put(Buffer.from(`a${i}`), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
})

afterEach(() => server.close())

interface Scanned {
  /** Rows shown, scanned and filtered. */
  readonly counts: readonly number[]
  /** True where other regions may have more rows. */
  readonly more: boolean
}

/** Scans in calls of so many rows. */
async function scanned(port: number, filter: string, rows: number): Promise<Scanned> {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const sums = { shown: 0, ROWS_SCANNED: 0, ROWS_FILTERED: 0 }
  const scan = { filter: fromBinary(FilterSchema, encodeFilter(parseFilterString(Buffer.from(filter)))) }
  let answer: ScanResponse | undefined
  while (answer === undefined || (answer.moreResultsInRegion && answer.moreResults)) {
    const of =
      answer === undefined
        ? { region: { type: 1 as const, value: region!.name }, scan }
        : { scannerId: answer.scannerId }
    const message = { ...of, numberOfRows: rows, trackScanMetrics: true }
    answer = (await oneCall(port, ClientService.method.scan, message)).message
    for (const { name, value } of answer.scanMetrics!.metrics)
      sums[name as 'ROWS_SCANNED' | 'ROWS_FILTERED'] += Number(value)
    sums.shown += answer.cellsPerResult.length
  }
  return { counts: Object.values(sums), more: answer.moreResults }
}

test.each([
  ["RowFilter(=, 'binary:xyz')", [0, 10, 10]],
  ["RowFilter(=, 'binary:a3')", [1, 10, 9]],
  ["RowFilter(=, 'binary:a1') OR RowFilter(=, 'binary:a4')", [2, 10, 8]],
  ["PrefixFilter('a3')", [1, 4, 4]],
  ["InclusiveStopFilter('a3')", [4, 4, 1]],
  ['PageFilter(3)', [3, 3, 0]],
  ["ColumnPrefixFilter('x')", [0, 10, 10]],
  ["SingleColumnValueFilter('f', 'q', !=, 'binary:v')", [0, 10, 10]],
] as const)('%s', async (filter, expected) => {
  for (const rows of [100, 1])
    expect(await scanned(server.door.port, filter, rows)).toMatchObject({ counts: expected })
})

test.each([
  ["WHILE RowFilter(>=, 'binary:a5')", false],
  ["WHILE RowFilter(<, 'binary:a5')", true],
  ["RowFilter(>=, 'binary:z')", true],
])('%s: the client goes on in the next region: %s', async (filter, goesOn) => {
  const { more } = await scanned(server.door.port, filter, 100)
  expect(more).toBe(goesOn)
})
