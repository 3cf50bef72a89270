/** Damaged store files of a real folder, as the console shows them: at the start, and while the server runs. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../harness/tidegate-process.ts'
import { b64, ConsoleClient, type ShownPage } from './console-client.ts'

interface Gap {
  readonly at: number
  readonly path: string
  readonly region: string
  readonly from: string
  readonly to?: string
  readonly directory: string
}

interface Page extends ShownPage {
  readonly gaps: readonly Gap[]
}

const VALUE = b64('v'.repeat(4000))

function rowOf(index: number): string {
  return `row-${String(index).padStart(3, '0')}`
}

function text(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('latin1')
}

function keysOf({ rows }: ShownPage): string[] {
  return rows.map(({ row }) => text(row))
}

function flipped(bytes: Buffer): Buffer {
  const at = bytes.indexOf('row-030')
  bytes[at] = bytes[at]! ^ 0xff
  return bytes
}

describe('a damaged store file', () => {
  let folder: string
  let client: ConsoleClient

  const start = async (): Promise<ConsoleClient> =>
    await ConsoleClient.start({ store: `native:${folder}`, consoleWrites: true })

  beforeEach(async () => {
    folder = makeTemporaryFolder()
    client = await start()
    await client.change({ kind: 'createTable', table: 't', families: [{ name: b64('f') }] })
    await client.change({ kind: 'split', table: 't', at: b64(rowOf(60)) })
    const regions = async (): Promise<number> =>
      (await client.read<{ regions: object[] }>('table', [['name', 't']])).regions.length
    await expect.poll(regions).toBe(2)
    for (let i = 0; i < 100; i++) await client.put('t', b64(rowOf(i)), VALUE)
    await client.change({ kind: 'flush', table: 't' })
  })
  afterEach(async () => {
    await client.server.stop()
    rmSync(folder, { recursive: true })
  })

  /** The store file that the rows before the split are in: the only one with `row-000`. */
  function pathOfFirst(): string {
    const table = join(folder, 'data', 'default', 't')
    for (const region of readdirSync(table)) {
      for (const name of readdirSync(join(table, region, 'f'))) {
        const path = join(table, region, 'f', name)
        if (readFileSync(path).includes('row-000')) return path
      }
    }
    throw new Error('no store file has the first row')
  }

  function damage(change: (bytes: Buffer) => Buffer): string {
    const path = pathOfFirst()
    writeFileSync(path, change(readFileSync(path)))
    return path
  }

  async function page(parameters: readonly (readonly [string, string])[] = []): Promise<Page> {
    return await client.read<Page>('rows', [['table', 't'], ['rows', '200'], ...parameters])
  }

  test.each([
    ['found at the start', true],
    ['found while the server runs', false],
  ])('%s hides the rows of its block alone, and the page names them', async (_, isRestarted) => {
    if (isRestarted) await client.server.stop()
    const path = damage(flipped)
    if (isRestarted) client = await start()
    const shown = await page()
    expect(shown.gaps).toHaveLength(1)
    const [gap] = shown.gaps
    const keys = keysOf(shown)
    expect(gap).toMatchObject({ path, directory: folder, at: keys.filter((key) => key < 'row-030').length })
    // A block has some 16 such rows.
    expect(keys.length).toBeGreaterThan(80)
    expect(keys).not.toContain('row-030')
    expect([text(gap!.from) <= 'row-030', text(gap!.to) > 'row-030']).toEqual([true, true])
    const missing = Array.from({ length: 100 }, (__, index) => rowOf(index)).filter(
      (key) => !keys.includes(key),
    )
    expect(missing.every((key) => key > text(gap!.from) && key < text(gap!.to))).toBe(true)
    const table = await client.read<{ damage: object[]; regions: { encodedName: string }[] }>('table', [
      ['name', 't'],
    ])
    expect(table.damage).toMatchObject([{ path, directory: folder, rows: [{}] }])
    expect(table.regions.map(({ encodedName }) => encodedName)).toContain(gap!.region)
    const { tables } = await client.read<{ tables: object[] }>('tables')
    expect(tables).toMatchObject([{ name: 't', damagedFiles: 1 }])
  })

  test('that cannot be opened hides its region, and the page goes on with the next one', async () => {
    await client.server.stop()
    const path = damage((bytes) => bytes.subarray(0, bytes.length - 10))
    client = await start()
    const shown = await page()
    expect(keysOf(shown)).toEqual(Array.from({ length: 40 }, (_, index) => rowOf(index + 60)))
    expect(shown.gaps).toMatchObject([{ at: 0, path, from: '', to: b64('row-060') }])
  })

  test('fails a read of a range within it with its name, and no read beside it', async () => {
    damage(flipped)
    expect(keysOf(await page([['prefix', b64('row-09')]]))).toHaveLength(10)
    const shown = await page([
      ['start', b64('row-030')],
      ['stop', b64('row-031')],
    ])
    expect(keysOf(shown)).toEqual([])
    expect(shown.gaps).toHaveLength(1)
    expect(shown.next).toBeUndefined()
  })
})
