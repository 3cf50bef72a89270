/** Promotions under load, while one of the two servers is killed at a random time: one of them leads in the end, and no acknowledged put is lost that was not stated. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Standby, StandbyRole } from '../../src/store/standby.ts'
import type { Store } from '../../src/store/store.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { keptPort } from '../harness/kept-port.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { testRuns } from '../harness/test-runs.ts'
import { startTidegate } from '../harness/tidegate-process.ts'
import { contentOf, makeTable, putCell } from '../standby/contents.ts'

const T = parseTableName('t')
const ROUNDS = testRuns(4)
const SETTLED_MS = 30_000
/** A kill comes within so many milliseconds of the promotion. */
const KILLED_WITHIN_MS = 400

class PairedProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'standby-promotion-'))
  readonly #args: readonly string[]
  readonly port: number
  #child: ChildServer | undefined
  #store: Store | undefined

  constructor(port: number, args: readonly string[]) {
    this.port = port
    this.#args = args
  }

  get store(): Store {
    return this.#store!
  }

  get standby(): Standby {
    return this.store.upkeep.standby!
  }

  async start(): Promise<this> {
    this.#child = await startTidegate(`native:${this.folder}`, '--rpc', String(this.port), ...this.#args)
    this.#store = await openRpcStore(this.port, { retriesMax: 1 }, 'tester', '127.0.0.1', true)
    return this
  }

  async role(): Promise<StandbyRole | 'away'> {
    return this.standby.standbyState(OWN_CALL).then(
      ({ role }) => role,
      () => 'away',
    )
  }

  async killAndStart(): Promise<void> {
    await this.#child!.stop('SIGKILL')
    await this.#store!.close()
    await this.start()
  }

  async end(): Promise<void> {
    await this.#store?.close()
    await this.#child?.stop()
    for (const folder of [this.folder, `${this.folder}.first-copy`])
      rmSync(folder, { recursive: true, force: true })
  }
}

/** Puts rows until it is stopped. Resolves to those that were acknowledged. */
function load(store: Store): { readonly stop: () => Promise<string[]> } {
  const over = new AbortController()
  const writer = async (name: string): Promise<string[]> => {
    const acknowledged: string[] = []
    for (let n = 0; !over.signal.aborted; n++) {
      const row = `${name}-${n}`
      const isDone = await putCell(store, T, row, 'f', 'v').then(
        () => true,
        () => false,
      )
      if (isDone) acknowledged.push(row)
      else await pause(5)
    }
    return acknowledged
  }
  const writers = ['a', 'b', 'c', 'd'].map(writer)
  return {
    stop: async () => {
      over.abort()
      return (await Promise.all(writers)).flat()
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function round(number: number): Promise<void> {
  const leader = await new PairedProcess(await keptPort(), []).start()
  const standby = new PairedProcess(await keptPort(), ['--follow', `rpc:127.0.0.1:${leader.port}`])
  try {
    await makeTable(leader.store.catalog, T, ['f'])
    await standby.start()
    const running = load(leader.store)
    await pause(300)
    const killed = number % 2 === 0 ? standby : leader
    const afterMs = Math.random() * KILLED_WITHIN_MS
    const promoted = standby.standby
      .promote({ keepsIdentity: false, waitMs: 10_000 }, OWN_CALL)
      .catch(() => undefined)
    await pause(afterMs)
    await killed.killAndStart()
    const answer = await promoted
    const acknowledged = await running.stop()
    const place = `round ${number}, ${killed === leader ? 'leader' : 'standby'} killed after ${afterMs} ms`
    const until = performance.now() + SETTLED_MS
    let roles: string[] = []
    while (roles.filter((role) => role === 'leader').length !== 1) {
      if (performance.now() > until) throw new Error(`${place}: ${roles.join()}`)
      await pause(20)
      roles = [await leader.role(), await standby.role()]
    }
    const one = roles[0] === 'leader' ? leader : standby
    // A standby that was killed may have been promoted before the answer.
    const mayLack = one === standby && answer?.isWhole !== true && killed === leader
    const content = (await contentOf(one.store)).join('\n')
    const lost = acknowledged.filter((row) => !content.includes(` ${row}/`))
    if (!mayLack) expect(lost, place).toEqual([])
    await putCell(one.store, T, 'last', 'f', 'v')
  } finally {
    await standby.end()
    await leader.end()
  }
}

test('one server leads after a kill within a promotion', { timeout: 60_000 * ROUNDS }, async () => {
  for (let number = 0; number < ROUNDS; number++) await round(number)
})
