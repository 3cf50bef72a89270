/** The metrics that a scan's client may ask for, summed over the calls of the scan. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService, type ScanResponse } from '../../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer()
  const batch = new MutationBatch()
  for (const row of ['a1', 'a2', 'b1', 'b2', 'b3']) {
    for (const q of ['p', 'q', 'r'])
      batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from(q), Buffer.from(row))
    batch.endMutation()
  }
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
})

afterEach(() => server.close())

async function counted(scan: object, rows: number, limitOfRows = 0): Promise<Record<string, number>> {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const sums: Record<string, number> = { results: 0 }
  const { port } = server.door
  const { method } = ClientService
  const common = { numberOfRows: rows, trackScanMetrics: true, clientHandlesPartials: true, limitOfRows }
  let answer: ScanResponse | undefined
  while (answer === undefined || (answer.moreResultsInRegion && answer.moreResults)) {
    const of =
      answer === undefined
        ? { region: { type: 1 as const, value: region!.name }, scan }
        : { scannerId: answer.scannerId }
    answer = (await oneCall(port, method.scan, { ...of, ...common })).message
    for (const { name, value } of answer.scanMetrics!.metrics) sums[name] = (sums[name] ?? 0) + Number(value)
    sums['results']! += answer.cellsPerResult.length
  }
  return sums
}

test.each([1, 2, 100])('of whole rows, %i at a time', async (rows) => {
  expect(await counted({}, rows)).toEqual({ results: 5, ROWS_SCANNED: 5, ROWS_FILTERED: 0 })
})

test.each([1, 2, 100])('of parts of rows, %i at a time: a row counts once', async (rows) => {
  expect(await counted({ batchSize: 2 }, rows)).toEqual({ results: 10, ROWS_SCANNED: 5, ROWS_FILTERED: 0 })
})

test('of a limit: rows behind it do not count', async () => {
  expect(await counted({}, 100, 3)).toEqual({ results: 3, ROWS_SCANNED: 3, ROWS_FILTERED: 0 })
})

test('of a filter: the rows that it hides are counted', async () => {
  const filter = {
    name: 'org.apache.hadoop.hbase.filter.PrefixFilter',
    serializedFilter: Buffer.from([10, 1, 0x62]),
  }
  expect(await counted({ filter }, 2)).toEqual({ results: 3, ROWS_SCANNED: 5, ROWS_FILTERED: 2 })
})
