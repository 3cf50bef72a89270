import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import type { ExampleServer } from './example-server.ts'

/** Writes the memory of a server to files, over native RPC, as `flush` of HBase's shell does. */
export interface Flusher {
  flush(table: string): Promise<void>
  close(): Promise<void>
}

export async function openFlusher({ host, ports }: ExampleServer): Promise<Flusher> {
  const store = await openRpcStore(ports.rpc, {}, host)
  return {
    flush: (table) => store.upkeep.flushes!.flushTable(parseTableName(table), OWN_CALL),
    close: () => store.close(),
  }
}
