/** A server that archives its log, killed and started again, and the way back to the moment before a mistake. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChildServer } from '../harness/child-server.ts'
import { inTemporaryFolder, MAIN, startTidegate } from '../harness/tidegate-process.ts'

interface Ran {
  readonly output: string
  readonly code: number | null
}

function backup(...args: string[]): Ran {
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, 'backup', ...args], {
    encoding: 'utf8',
  })
  return { output: stdout + stderr, code: status }
}

class Rest {
  readonly #url: string
  readonly #web: string

  constructor(server: ChildServer) {
    this.#url = `http://127.0.0.1:${server.port('rest')}`
    this.#web = `http://127.0.0.1:${server.port('web')}`
  }

  async schema(method: 'PUT' | 'DELETE', table: string): Promise<number> {
    const body = JSON.stringify({ name: table, ColumnSchema: [{ name: 'f' }] })
    const headers = { 'Content-Type': 'application/json' }
    const init = method === 'PUT' ? { method, headers, body } : { method }
    return (await fetch(`${this.#url}/${table}/schema`, init)).status
  }

  async put(table: string, row: string): Promise<void> {
    const headers = { 'Content-Type': 'application/octet-stream' }
    const answer = await fetch(`${this.#url}/${table}/${row}/f:a`, { method: 'PUT', headers, body: row })
    expect(answer.status).toBe(200)
  }

  async has(table: string, row: string): Promise<boolean> {
    return (await fetch(`${this.#url}/${table}/${row}`)).status === 200
  }

  async #metric(name: string): Promise<number> {
    const metrics = await (await fetch(`${this.#web}/metrics`)).text()
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1] ?? 0)
  }

  /** Resolves once all up to a time, in milliseconds since 1970, is archived. */
  async archived(now: number): Promise<void> {
    const reached = async (): Promise<number> =>
      (await this.#metric('tidegate_archive_reached_seconds')) * 1000
    await expect.poll(reached, { timeout: 60_000 }).toBeGreaterThan(now)
  }

  /** Resolves once the server has made the backup from which its log goes on. */
  async backedUp(): Promise<void> {
    await expect.poll(() => this.#metric('tidegate_archive_backups_total'), { timeout: 60_000 }).toBe(1)
  }

  async health(): Promise<string> {
    return (await fetch(`${this.#web}/health`)).text()
  }
}

test('any moment before a mistake comes back, of each life of a server', { timeout: 240_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const [store, dest] = [`native:${join(folder, 'store')}`, join(folder, 'dest')]
    const archive = ['--archive-log', dest, '--archive-log-every', '100ms']
    const times: Record<string, number> = {}
    const note = async (name: string): Promise<void> => {
      times[name] = Date.now()
      // The next write has a later time.
      await expect.poll(() => Date.now()).toBeGreaterThan(times[name])
    }

    const first = await startTidegate(store, ...archive)
    const rest = new Rest(first)
    await rest.backedUp()
    expect(await rest.schema('PUT', 'orders')).toBe(201)
    for (const row of ['a', 'b']) await rest.put('orders', row)
    await note('two rows')
    await rest.put('orders', 'c')
    await note('three rows')
    await rest.archived(Date.now())
    await first.stop('SIGKILL')

    const second = await startTidegate(store, ...archive)
    const again = new Rest(second)
    await again.backedUp()
    await again.put('orders', 'd')
    await note('four rows')
    expect(await again.schema('DELETE', 'orders')).toBe(200)
    await again.archived(Date.now())
    expect(await again.health()).toContain('"status":"ok"')
    await second.stop()

    const listed = backup('list', dest)
    expect(listed.code).toBe(0)
    expect(listed.output.match(/^logs /gm)).toHaveLength(2)
    expect(backup('verify', dest)).toMatchObject({ code: 0 })
    const pruned = backup('prune', dest, '--keep-last', '9', '--dry-run')
    expect(pruned.code).toBe(0)
    // Two of the same second have a number.
    expect(pruned.output.match(/^kept \d{8}T\d{6}Z(?:-\d+)? /gm)).toHaveLength(2)
    expect(pruned.output.match(/^logs .*$/gm)).toEqual(listed.output.match(/^logs .*$/gm))
    const rows: Readonly<Record<string, readonly string[]>> = {
      'two rows': ['a', 'b'],
      'three rows': ['a', 'b', 'c'],
      'four rows': ['a', 'b', 'c', 'd'],
    }
    for (const [name, expected] of Object.entries(rows)) {
      const to = join(folder, name)
      const restored = backup('restore', dest, '--to', to, '--time', String(times[name]))
      expect(restored, name).toMatchObject({ code: 0 })
      const server = await startTidegate(`native:${to}`)
      const found = new Rest(server)
      const there = []
      for (const row of ['a', 'b', 'c', 'd']) if (await found.has('orders', row)) there.push(row)
      expect(there, name).toEqual(expected)
      await server.stop()
    }
    const latest = backup('restore', dest, '--to', join(folder, 'latest'), '--time', 'latest')
    expect(latest).toMatchObject({ code: 0 })
    const server = await startTidegate(`native:${join(folder, 'latest')}`)
    expect(await new Rest(server).has('orders', 'a')).toBe(false)
    await server.stop()
  }),
)
