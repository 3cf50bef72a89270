/** Doors of Tidegate over a store of the test's own, and the adapters that ask them. */

import { pino } from 'pino'
import { DEFAULT_SERVER_LIMITS, type ServerOptions } from '../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../adapters/servers/requests/server-time.ts'
import { openRestStore } from '../../adapters/servers/rest/open-rest-store.ts'
import { openThriftStore } from '../../adapters/servers/thrift/open-thrift-store.ts'
import type { ThriftTransport } from '../../adapters/servers/thrift/thrift-server.ts'
import { openDoors } from '../../src/cli/doors/open-doors.ts'
import { ownServer } from '../../src/cli/settings/advertise-options.ts'
import { advertised } from '../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../src/gateway/catalog/system-tables/system-tables.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import type { Store } from '../../src/store/store.ts'

export interface DoorsOverStore {
  readonly ports: { readonly rest: number; readonly thrift: number; readonly rpc: number }
  /** Closes the doors; the store stays open. */
  close(): Promise<void>
}

export async function openDoorsOver(
  store: Store,
  limits: Partial<Limits> = {},
  memory: MemoryBudget = new MemoryBudget(),
): Promise<DoorsOverStore> {
  const server = ownServer(0)
  const shown = withSystemTables(advertised(store, server), server)
  const context = {
    store: shown,
    server,
    limits: { ...DEFAULT_LIMITS, ...limits },
    memory,
    logger: pino({ level: 'silent' }),
  }
  const ports = {
    rest: 0,
    thrift: 0,
    rpc: 0,
    master: 'off',
    zookeeper: 'off',
    web: 'off',
    timeline: 'off',
  } as const
  const doors = await openDoors(context, { host: '127.0.0.1', ports })
  const portOf = (name: 'rest' | 'thrift' | 'rpc'): number => doors.get(name)!.port
  return {
    ports: { rest: portOf('rest'), thrift: portOf('thrift'), rpc: portOf('rpc') },
    close: async () => {
      for (const door of doors.values()) await door.close()
    },
  }
}

/** `port`: of 127.0.0.1. */
export function serverOptions(port: number, options: Partial<ServerOptions> = {}): ServerOptions {
  return {
    endpoint: { host: '127.0.0.1', port },
    limits: { ...DEFAULT_SERVER_LIMITS, pauseMs: 1, retriesMax: 3 },
    time: SERVER_TIME,
    ...options,
  }
}

export function restStoreOn(port: number, options?: Partial<ServerOptions>): Store {
  return openRestStore(serverOptions(port, options))
}

export function thriftStoreOn(
  port: number,
  transport: ThriftTransport = 'buffered',
  options?: Partial<ServerOptions>,
): Store {
  return openThriftStore({ ...serverOptions(port, options), transport })
}
