/** Answers to clients of older releases, beyond those that the conformance suite has recorded. */

import { afterEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'
import { ClientService, MutationProto_MutationType } from '../../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const HBASE = 'org.apache.hadoop.hbase.'
const TOO_BIG = `${HBASE}exceptions.RequestTooBigException`
const { method } = ClientService
const bytes = (text: string): Buffer => Buffer.from(text)

let server: RpcServer

afterEach(() => server.close())

async function firstRegion() {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  return { type: 1, value: region!.name } as const
}

async function putRows(count: number, size: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const columnValue = [
      { family: bytes('f'), qualifierValue: [{ qualifier: bytes('a'), value: Buffer.alloc(size) }] },
    ]
    const mutation = { row: bytes(`a${i}`), mutateType: MutationProto_MutationType.PUT, columnValue }
    await oneCall(server.door.port, method.mutate, { region: await firstRegion(), mutation })
  }
}

/** For each row, the class of its get's exception in one Multi; empty where the get has its cells. */
async function getsOfMulti(release: string, count: number): Promise<string[]> {
  const action = Array.from({ length: count }, (_, index) => ({ index, get: { row: bytes(`a${index}`) } }))
  const regionAction = [{ region: await firstRegion(), action }]
  const { message } = await oneCall(server.door.port, method.multi, { regionAction }, { release })
  return message.regionActionResult[0]!.resultOrException.map(({ exception }) => exception?.name ?? '')
}

test('the actions for which an answer has no room are refused to clients that know the exception', async () => {
  server = await startRpcServer({ limits: { responseBytesMax: 1000 } })
  await putRows(4, 600)
  const full = `${HBASE}MultiActionResultTooLarge`
  expect(await getsOfMulti('1.2.0', 4)).toEqual(['', '', full, full])
  expect(await getsOfMulti('1.1.13', 4)).toEqual(['', '', '', ''])
  expect(await getsOfMulti('', 4)).toEqual(['', '', '', ''])
})

test('a client that knows no full answers still gets no more than there is memory for', async () => {
  server = await startRpcServer({ memoryBytesMax: 40_000 })
  await putRows(8, 4000)
  const found = await getsOfMulti('1.1.13', 8)
  expect(found[0]).toBe('')
  expect(found.at(-1)).toBe(`${HBASE}CallQueueTooBigException`)
})

test.each([
  ['', `${HBASE}DoNotRetryIOException`],
  ['1.2.12', `${HBASE}DoNotRetryIOException`],
  ['1.3.0', TOO_BIG],
  ['2.6.1', TOO_BIG],
])('a request that is too large, of a client of release %j', async (release, javaClass) => {
  server = await startRpcServer({ limits: { requestBytesMax: 1000 } })
  const region = { type: 1, value: Buffer.alloc(1000) } as const
  const asked = oneCall(server.door.port, method.get, { region, get: { row: bytes('r') } }, { release })
  await expect(asked).rejects.toMatchObject({ javaClass, doNotRetry: true })
})

function failingScans(own: Store, error: HBaseError): Store {
  const handouts = withMethods(own.handouts, { next: () => Promise.reject(error) })
  return withFacets(own, { handouts })
}

test.each([
  ['1.3.6', `${HBASE}UnknownScannerException`],
  ['1.4.0', `${HBASE}exceptions.ScannerResetException`],
])(
  'a scan that fails ends its scanner, by an exception that release %s knows',
  async (release, javaClass) => {
    const own = openMemoryStore({ clock: Date })
    server = await startRpcServer({ own: failingScans(own, new HBaseError('IO', 'the disk is away')) })
    const region = await firstRegion()
    const opened = await oneCall(server.door.port, method.scan, { region, scan: {}, numberOfRows: 0 })
    const { scannerId } = opened.message
    const next = { scannerId, numberOfRows: 10, nextCallSeq: 0n }
    await expect(oneCall(server.door.port, method.scan, next, { release })).rejects.toMatchObject({
      javaClass,
      doNotRetry: true,
    })
    // The client closes the scanner nevertheless.
    const closed = await oneCall(
      server.door.port,
      method.scan,
      { scannerId, closeScanner: true },
      { release },
    )
    expect(closed.message.scannerId).toBe(scannerId)
  },
)
