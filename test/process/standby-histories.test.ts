import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isHBaseError } from '../../src/model/errors.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { keptPort } from '../harness/kept-port.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { testRuns } from '../harness/test-runs.ts'
import { startTidegate } from '../harness/tidegate-process.ts'
import { contentOf, deleteRow, makeTable, putCell } from '../standby/contents.ts'

const TABLES = ['a', 'b', 'c'].map((name) => parseTableName(name))
/** The standby has so long for the last changes. */
const EQUAL_MS = 30_000
const STEPS = testRuns(240)

/** A server in a process, which is killed and started again on its ports. */
class Killable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'standby-process-'))
  readonly #args: readonly string[]
  readonly port: number
  #child: ChildServer | undefined
  store: Store | undefined

  private constructor(port: number, args: readonly string[]) {
    this.port = port
    this.#args = args
  }

  static async start(...args: readonly string[]): Promise<Killable> {
    const server = new Killable(await keptPort(), args)
    await server.again()
    return server
  }

  async again(): Promise<void> {
    const store = `native:${this.#folder}`
    this.#child = await startTidegate(store, '--rpc', String(this.port), ...this.#args)
    this.store = await openRpcStore(this.port, {}, 'tester', '127.0.0.1', true)
  }

  /** The row by REST. */
  async putByRest(table: TableName, row: string, value: string): Promise<void> {
    const url = `http://127.0.0.1:${this.#child!.port('rest')}/${table}/${row}/f:rest`
    const headers = { 'Content-Type': 'application/octet-stream' }
    const { status } = await fetch(url, { method: 'PUT', headers, body: value })
    expect([200, 404, 503]).toContain(status)
  }

  async kill(): Promise<void> {
    await this.#child!.stop('SIGKILL')
    await this.store!.close()
  }

  async end(): Promise<void> {
    await this.store?.close()
    await this.#child?.stop()
    for (const folder of [this.#folder, `${this.#folder}.first-copy`])
      rmSync(folder, { recursive: true, force: true })
  }
}

/** Random numbers below `n`, the same ones for a seed. */
function drawing(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

async function schemaChange(
  { catalog }: Store,
  table: TableName,
  draw: (n: number) => number,
): Promise<void> {
  const isThere = await catalog.tableExists(table, OWN_CALL)
  if (!isThere) return makeTable(catalog, table, draw(2) === 0 ? ['f'] : ['f', 'g'])
  const isEnabled = (await catalog.tableState(table, OWN_CALL)) === 'ENABLED'
  switch (draw(5)) {
    case 0:
      return isEnabled ? catalog.disableTable(table, OWN_CALL) : catalog.enableTable(table, OWN_CALL)
    case 1: {
      if (isEnabled) await catalog.disableTable(table, OWN_CALL)
      return catalog.truncateTable(table, draw(2) === 0, OWN_CALL)
    }
    case 2: {
      if (isEnabled) await catalog.disableTable(table, OWN_CALL)
      await catalog.deleteTable(table, OWN_CALL)
      return draw(2) === 0 ? undefined : makeTable(catalog, table, ['f'])
    }
    default: {
      const present = await catalog.table(table, OWN_CALL)
      if (present.families.length === 1) return undefined
      await catalog.modifyTable({ ...present, families: present.families.slice(0, 1) }, OWN_CALL)
      return draw(2) === 0 ? undefined : catalog.modifyTable(present, OWN_CALL)
    }
  }
}

async function step(leader: Killable, draw: (n: number) => number, n: number): Promise<void> {
  const table = TABLES[draw(TABLES.length)]!
  const row = `row${draw(40)}`
  const store = leader.store!
  try {
    const what = draw(20)
    if (what < 2) await schemaChange(store, table, draw)
    else if (what < 5) await deleteRow(store, table, row)
    else if (what < 9) await leader.putByRest(table, row, `rest ${n}`)
    else await putCell(store, table, row, what % 2 === 0 ? 'f' : 'g', `value ${n}`)
  } catch (error) {
    // The table is missing or disabled, or has no such family.
    if (!isHBaseError(error) || error.code === 'IO') throw error
  }
}

/** The lines without cells that deletes of families hide: a flush of one server may have dropped them, and the other one has them still. */
function shown(lines: readonly string[]): string[] {
  const deletes = new Map<string, number>()
  const parts = lines.map((line) => ({ line, cell: /^(\S+ [^/]+\/\w+):\w*@(\d+)#(\d+)/.exec(line) }))
  for (const { cell } of parts)
    if (cell?.[3] === '14') deletes.set(cell[1]!, Math.max(deletes.get(cell[1]!) ?? 0, Number(cell[2])))
  return parts.flatMap(({ line, cell }) => {
    const isHidden = cell !== null && Number(cell[2]) <= (deletes.get(cell[1]!) ?? -1)
    return isHidden ? [] : [line]
  })
}

test.each([7, 11])(
  'a standby has what its leader has after kills of both, history %i',
  { timeout: 240_000 },
  async (seed) => {
    const draw = drawing(seed)
    const leader = await Killable.start()
    const standby = await Killable.start('--follow', `rpc:127.0.0.1:${leader.port}`)
    try {
      for (let n = 0; n < STEPS; n++) {
        await step(leader, draw, n)
        const killed = [leader, standby][draw(60)]
        await killed?.kill()
        await killed?.again()
      }
      const wanted = shown(await contentOf(leader.store!))
      for (const until = Date.now() + EQUAL_MS; ; ) {
        const found = shown(await contentOf(standby.store!).catch(() => []))
        if (found.join('\n') === wanted.join('\n')) break
        if (Date.now() > until) expect(found).toEqual(wanted)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(wanted.length).toBeGreaterThan(20)
    } finally {
      await standby.end()
      await leader.end()
    }
  },
)
