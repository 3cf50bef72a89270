/** The costs of servers besides time: memory, time to start, room on the disk. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { residentBytes } from '../../test/harness/process-usage.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import type { Residents } from './goals.ts'
import { serve, type Targets } from './target.ts'

const MIB = 1024 * 1024
const FULL_BYTES = 1024 * MIB
const VALUE_BYTES = 100_000
const ROWS_A_BATCH = 50
/** V8 gives back what starting has left some 16 seconds after it. */
const IDLE_MS = 25_000

export interface Starts {
  readonly emptyMs: number
  readonly emptyIdleMiB: number
  /** Of a store with a GiB of values. */
  readonly fullMs: number
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / MIB)
}

function residentMiB(pid: number): number {
  return mebibytes(residentBytes(pid))
}

/** Of each process, in MiB. */
export function residents({ engine, cluster, realHBase }: Targets): Residents {
  return {
    engine: residentMiB(engine.doors.rest),
    cluster: residentMiB(cluster.doors.rest),
    rest: residentMiB(realHBase.pidOf('rest')),
    thrift: residentMiB(realHBase.pidOf('thrift1')),
    regionServer: residentMiB(realHBase.pidOf('master')),
  }
}

async function fill(port: number): Promise<void> {
  const store = await openRpcStore(port)
  const table = parseTableName('full')
  const [family, qualifier, value] = [Buffer.from('f'), Buffer.from('q'), Buffer.alloc(VALUE_BYTES, 'v')]
  try {
    await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
    for (let row = 0; row * VALUE_BYTES < FULL_BYTES; ) {
      const batch = new MutationBatch()
      for (let i = 0; i < ROWS_A_BATCH; i++, row++) {
        batch.put(Buffer.from(`row${row}`), family, qualifier, value).endMutation()
      }
      await store.rows.mutate(table, batch, OWN_CALL)
    }
  } finally {
    await store.close()
  }
}

export async function starts(): Promise<Starts> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-starts-'))
  const start = async (): Promise<{ server: Awaited<ReturnType<typeof serve>>; ms: number }> => {
    const startedAt = performance.now()
    const server = await serve(`native:${folder}`)
    return { server, ms: performance.now() - startedAt }
  }
  try {
    const empty = await start()
    await sleep(IDLE_MS)
    const emptyIdleMiB = mebibytes(empty.server.residentBytes())
    await fill(empty.server.port('rpc'))
    // Without time to flush: the next start replays what the log has.
    await empty.server.stop('SIGKILL')
    const full = await start()
    await full.server.stop()
    return { emptyMs: empty.ms, emptyIdleMiB, fullMs: full.ms }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** MiB on the disk. */
export function diskMiB(folder: string): number {
  return Math.round(Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024)
}
