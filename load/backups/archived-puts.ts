/**
 * Puts a second with an archived log, beside the same server without one, in turn in one run: `npm run bench:archive`. The clients are one process with
 * many puts under way, over native RPC.
 */

import { join } from 'node:path'
import { openServer } from '../../src/cli/remote/open-server.ts'
import { parseServerAddress } from '../../src/cli/remote/server-address.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { ChildServer } from '../../test/harness/child-server.ts'
import { inTemporaryFolder, startTidegate } from '../../test/harness/tidegate-process.ts'

const TABLE = parseTableName('t')
const ROUNDS = 5
const ROUND_MS = 6000
const UNDER_WAY = 32
const BATCH_ROWS = 20
const VALUE_BYTES = 200

class Putter {
  readonly #server: ChildServer
  #row = 0

  constructor(server: ChildServer) {
    this.#server = server
  }

  /** Rows a second. */
  async round(): Promise<number> {
    const address = parseServerAddress(`rpc:127.0.0.1:${this.#server.port('rpc')}`)
    const demands = { retriesMax: 1, isImpatient: true, warn: console.error }
    const login = { user: undefined, login: { isPassed: true } }
    const { store } = await openServer(address, login, demands, () => undefined)
    try {
      const since = performance.now()
      let rows = 0
      const client = async (): Promise<void> => {
        while (performance.now() - since < ROUND_MS) {
          const batch = new MutationBatch()
          for (let i = 0; i < BATCH_ROWS; i++) {
            const key = Buffer.from(`r${String((this.#row++ * 7919) % 1_000_003).padStart(9, '0')}`)
            batch.put(key, Buffer.from('f'), Buffer.from('q'), Buffer.alloc(VALUE_BYTES, key)).endMutation()
          }
          await store.rows.mutate(TABLE, batch, OWN_CALL)
          rows += BATCH_ROWS
        }
      }
      await Promise.all(Array.from({ length: UNDER_WAY }, client))
      return (rows / (performance.now() - since)) * 1000
    } finally {
      await store.close()
    }
  }

  async makeTable(): Promise<void> {
    const rest = `http://127.0.0.1:${this.#server.port('rest')}`
    const { families } = tableDescriptor(TABLE, [familyDescriptor('f')])
    const body = JSON.stringify({ name: TABLE, ColumnSchema: families.map(() => ({ name: 'f' })) })
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${rest}/${TABLE}/schema`, { method: 'PUT', headers, body })
  }
}

await inTemporaryFolder(async (folder) => {
  const plain = await startTidegate(`native:${join(folder, 'plain')}`)
  const archive = ['--archive-log', join(folder, 'dest'), '--archive-log-every', '1s']
  const archived = await startTidegate(`native:${join(folder, 'archived')}`, ...archive)
  try {
    const sides = [new Putter(plain), new Putter(archived)] as const
    for (const side of sides) await side.makeTable()
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = await sides[0].round()
      const after = await sides[1].round()
      ratios.push(after / before)
      process.stdout.write(
        `round ${round + 1}: ${Math.round(before)} rows a second, ${Math.round(after)} with an archived log: ${(after / before).toFixed(2)}\n`,
      )
    }
    ratios.sort((a, b) => a - b)
    process.stdout.write(`median ratio ${ratios[Math.floor(ROUNDS / 2)]!.toFixed(2)}\n`)
  } finally {
    await Promise.all([plain.stop(), archived.stop()])
  }
})
