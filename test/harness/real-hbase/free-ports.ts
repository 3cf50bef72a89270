/** The ports of a real HBase, each free when it was asked for. */

import { type AddressInfo, createServer } from 'node:net'

const PORT_NAMES = [
  'zookeeper',
  'master',
  'masterInfo',
  'regionServer',
  'regionServerInfo',
  'rest',
  'restInfo',
  'thrift1',
  'thrift1Info',
  'thrift2',
  'thrift2Info',
] as const
export type RealHBasePorts = Readonly<Record<(typeof PORT_NAMES)[number], number>>

export async function freePorts(): Promise<RealHBasePorts> {
  const servers = await Promise.all(
    PORT_NAMES.map(async (name) => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      return [name, server] as const
    }),
  )
  const ports = servers.map(([name, server]) => [name, (server.address() as AddressInfo).port] as const)
  await Promise.all(servers.map(([, server]) => new Promise((resolve) => server.close(resolve))))
  return Object.fromEntries(ports) as Record<(typeof PORT_NAMES)[number], number>
}
