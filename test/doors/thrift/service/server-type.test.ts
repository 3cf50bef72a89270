/** A call without arguments, which both services have, goes to the service that the connection called last. */

import { expect, test } from 'vitest'
import type { ThriftRequest } from '../../../../conformance/src/runner/case.ts'
import { ThriftClient } from '../../../../conformance/src/runner/thrift-client.ts'
import { startThriftServer } from './thrift-server.ts'

const ONE = 1
const TWO = 2

test('getThriftServerType answers the service of the last call, and ONE before any', async () => {
  const server = await startThriftServer()
  const client = new ThriftClient({ host: '127.0.0.1', port: server.port }, 10_000)
  const call = (door: ThriftRequest['door'], method: string) => client.call({ door, method, args: {} }, {})
  const type = async () => (await call('thrift1', 'getThriftServerType')) as { value?: unknown }
  try {
    expect(await type()).toMatchObject({ value: ONE })
    await call('thrift2', 'listNamespaces')
    expect(await type()).toMatchObject({ value: TWO })
    expect(await call('thrift2', 'getClusterId')).toMatchObject({ kind: 'result' })
    expect(await type()).toMatchObject({ value: TWO })
    await call('thrift1', 'getTableNames')
    expect(await type()).toMatchObject({ value: ONE })
  } finally {
    client.close()
    await server.close()
  }
})
