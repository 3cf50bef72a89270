/** `tidegate changes`, over processes that end. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { ChangeTokens, placeBehind } from '../../src/wire/changes/change-token.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { own } from '../harness/processes/owned-children.ts'
import { inTemporaryFolder, MAIN, startTidegate } from '../harness/tidegate-process.ts'

const JSON_TEXT = 'application/json;cells=text'

async function put(server: ChildServer, ...rows: readonly string[]): Promise<void> {
  for (const row of rows) {
    const answer = await fetch(`http://127.0.0.1:${server.port('rest')}/t/${row}`, {
      method: 'PUT',
      headers: { 'Content-Type': JSON_TEXT },
      body: JSON.stringify({ cells: [{ column: 'f:q', value: row }] }),
    })
    expect(answer.status).toBe(200)
  }
}

async function started(folder: string, ...flags: readonly string[]): Promise<ChildServer> {
  const server = await startTidegate(`native:${folder}/store`, ...flags)
  await fetch(`http://127.0.0.1:${server.port('rest')}/t/schema`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"t","ColumnSchema":[{"name":"f"},{"name":"g"}]}',
  })
  return server
}

function command(server: ChildServer, ...args: readonly string[]): ChildProcess {
  const address = `rpc:127.0.0.1:${server.port('rpc')}`
  const child = spawn(process.execPath, [MAIN, 'changes', ...args, '--address', address], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  own(child)
  return child
}

interface Printed {
  readonly keys: readonly string[]
  readonly token: string
  readonly code: number
  readonly errors: string
}

async function run(server: ChildServer, ...args: readonly string[]): Promise<Printed> {
  const child = command(server, ...args)
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number]>,
  ])
  const lines = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { key?: string; token: string })
  return {
    keys: lines.flatMap(({ key }) => key ?? []),
    token: lines.at(-1)?.token ?? '',
    code,
    errors,
  }
}

async function nextKey(lines: AsyncIterator<string>): Promise<string | undefined> {
  for (;;) {
    const { value } = (await lines.next()) as { value: string }
    const { key } = JSON.parse(value) as { key?: string }
    if (key !== undefined) return key
  }
}

async function lineWith(lines: AsyncIterator<string>, part: string): Promise<void> {
  for (let line = ''; !line.includes(part); ) {
    const next = await lines.next()
    expect(next.done).not.toBe(true)
    line = next.value
  }
}

const FOREIGN = new ChangeTokens('another store').text(placeBehind(7))

describe('tidegate changes', { timeout: 120_000 }, () => {
  test('prints what there is, and goes on from the last token', () =>
    inTemporaryFolder(async (folder) => {
      const server = await started(folder)
      try {
        await put(server, 'a', 'b', 'ba')
        const all = await run(server, 't', '--from', 'oldest')
        expect(all).toMatchObject({ keys: ['a', 'b', 'ba'], code: 0, errors: '' })
        await put(server, 'c')
        expect((await run(server, 't', '--from', all.token)).keys).toEqual(['c'])
        expect((await run(server, 't', '--from', 'oldest', '--prefix', 'b')).keys).toEqual(['b', 'ba'])
        expect((await run(server, 't', '--from', 'oldest', '--columns', 'g')).keys).toEqual([])
        const bad = await run(server, 't', '--from', 'x')
        expect([bad.code, bad.errors]).toEqual([2, expect.stringContaining('malformed')])
        const foreign = await run(server, 't', '--from', FOREIGN)
        expect([foreign.code, foreign.errors]).toEqual([2, expect.stringContaining('not of this store')])
        const none = await run(server, 'none')
        expect([none.code, none.errors]).toEqual([2, expect.stringContaining('none')])
      } finally {
        await server.stop()
      }
    }))

  test('follows over a kill of the server: each change once', () =>
    inTemporaryFolder(async (folder) => {
      let server = await started(folder)
      const ports = ['rest', 'rpc'].flatMap((door) => [`--${door}`, String(server.port(door))])
      const child = command(server, 't', '--follow')
      const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
      await lines.next()
      await put(server, 'a', 'b')
      expect([await nextKey(lines), await nextKey(lines)]).toEqual(['a', 'b'])
      await server.stop('SIGKILL')
      server = await started(folder, ...ports)
      await put(server, 'c', 'd')
      expect([await nextKey(lines), await nextKey(lines)]).toEqual(['c', 'd'])
      child.kill('SIGINT')
      expect(await once(child, 'close')).toEqual([130, null])
      await server.stop()
    }))

  test('says that the server is away, and that it is back; ends where the table is dropped', () =>
    inTemporaryFolder(async (folder) => {
      let server = await started(folder)
      const ports = ['rest', 'rpc'].flatMap((door) => [`--${door}`, String(server.port(door))])
      const child = command(server, 't', '--follow')
      await once(child.stdout!, 'data')
      const errors = createInterface({ input: child.stderr! })[Symbol.asyncIterator]()
      await server.stop()
      expect((await errors.next()).value).toContain('trying again')
      server = await started(folder, ...ports)
      await lineWith(errors, 'it answers again')
      const closed = once(child, 'close')
      await fetch(`http://127.0.0.1:${server.port('rest')}/t/schema`, { method: 'DELETE' })
      await lineWith(errors, 'there is no table t')
      expect(await closed).toEqual([2, null])
      await server.stop()
    }))

  test('ends without a word where the reader of its output has gone', () =>
    inTemporaryFolder(async (folder) => {
      const server = await started(folder)
      try {
        await put(server, ...Array.from({ length: 50 }, (_, row) => `r${row}`))
        const child = command(server, 't', '--from', 'oldest', '--follow')
        const errors = text(child.stderr!)
        await once(child.stdout!, 'data')
        child.stdout!.destroy()
        const closed = once(child, 'exit')
        await put(server, 'x', 'y')
        expect(await closed).toEqual([0, null])
        expect(await errors).toBe('')
      } finally {
        await server.stop()
      }
    }))
})
