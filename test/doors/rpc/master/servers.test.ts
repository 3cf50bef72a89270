/** Decommissioned servers, which HBase lists for users who may read everything. */

import { afterEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import type { Permissions } from '../../../../src/store/permissions.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer } from '../rpc-server.ts'

let server: RpcServer
afterEach(() => server.close())

/** The permissions of a cluster: without an AccessController it refuses calls about permissions. */
async function listed(isEnforced: boolean): Promise<number> {
  const memory = openMemoryStore({ clock: Date })
  const permissions = {
    areEnforced: async () => isEnforced,
    checkPermissions: async () => {
      throw isEnforced
        ? new HBaseError('ACCESS_DENIED', 'Insufficient permissions')
        : new HBaseError('DO_NOT_RETRY', 'AccessController is not loaded')
    },
  } as Partial<Permissions> as Permissions
  server = await startRpcServer({ own: withFacets(memory, { upkeep: { ...memory.upkeep, permissions } }) })
  const { listDecommissionedRegionServers } = MasterService.method
  const { message } = await oneCall(server.door.port, listDecommissionedRegionServers, {})
  return message.serverName.length
}

test('are listed by a store that knows no permissions', async () => {
  expect(await listed(false)).toBe(0)
})

test('are not listed for a user who may not read everything', async () => {
  await expect(listed(true)).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException',
  })
})
