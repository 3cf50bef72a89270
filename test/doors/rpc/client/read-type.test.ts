/** The read type of a client's scan is passed on to the store, which may be a cluster. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import type { ReadType } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../src/store/decorate.ts'
import { ClientService, Scan_ReadType } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

let server: RpcServer
let asked: (ReadType | undefined)[]

beforeEach(async () => {
  asked = []
  const memory = openMemoryStore({ clock: Date })
  const rows = withMethods(memory.rows, {
    openScanner: (target, scan, call) => {
      asked.push(scan.readType)
      return memory.rows.openScanner(target, scan, call)
    },
  } satisfies Partial<typeof memory.rows>)
  server = await startRpcServer({ own: withFacets(memory, { rows }) })
})
afterEach(() => server.close())

async function scan(fields: { readType?: Scan_ReadType; small?: boolean }): Promise<void> {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  await oneCall(server.door.port, ClientService.method.scan, {
    region: { type: 1, value: region!.name },
    scan: fields,
    numberOfRows: 1,
    closeScanner: true,
  })
}

test('each read type of Scan', async () => {
  await scan({})
  await scan({ readType: Scan_ReadType.DEFAULT })
  await scan({ readType: Scan_ReadType.STREAM })
  await scan({ readType: Scan_ReadType.PREAD })
  expect(asked).toEqual([undefined, undefined, 'stream', 'pread'])
})

test('clients before 2.0 say that a scan is small, which counts where they state no read type', async () => {
  await scan({ small: true })
  await scan({ small: false })
  await scan({ small: true, readType: Scan_ReadType.STREAM })
  expect(asked).toEqual(['pread', undefined, 'stream'])
})
