/** The server that an example talks to: a Tidegate of its own on a temporary folder, or one that runs already. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'

/** Where the doors listen. */
export interface Ports {
  readonly rest: number
  readonly thrift: number
  /** Of a server that has another one for Thrift 2, as HBase has. */
  readonly thrift2?: number
  readonly rpc: number
  readonly zookeeper: number
  readonly web: number
}

export interface ExampleServer {
  readonly host: string
  readonly ports: Ports
  stop(): Promise<void>
}

const FREE_PORTS: Ports = { rest: 0, thrift: 0, rpc: 0, zookeeper: 0, web: 0 }

/** On free ports, with the embedded engine in a folder that is gone after `stop`. */
export async function startServer(options: TidegateOptions = {}): Promise<ExampleServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-example-'))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  // Where the process ends before `stop`.
  process.once('exit', remove)
  try {
    const tidegate = await startTidegate({ store: `native:${folder}`, ...FREE_PORTS, ...options })
    return {
      host: tidegate.host,
      ports: { ...FREE_PORTS, ...tidegate.ports },
      stop: () => tidegate.stop().finally(remove),
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** The server of another process: the example neither starts nor stops it. */
export function runningServer(host: string, ports: Ports): ExampleServer {
  return { host, ports, stop: () => Promise.resolve() }
}
