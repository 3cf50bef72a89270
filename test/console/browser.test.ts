/** The console in a real browser: `npm run test:console`. Without one these tests are left out. */

import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { b64, ConsoleClient } from '../doors/web/console-client.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'
import { openBrowser, WatchedPage } from './chromium.ts'
import { smallPng } from './small-png.ts'

/** `npm run test:console` finds one, or says that there is none. */
const executablePath = process.env['TIDEGATE_CHROMIUM']
const execute = promisify(execFile)
/** Where the pictures of docs/console.md go; undefined: nowhere. */
const PICTURES = process.env['TIDEGATE_PICTURES']

const ODD = Buffer.from('<script>hacked=1</script>\0\xff', 'latin1').toString('base64')
const ODD_SHOWN = '<script>hacked=1</script>\\x00\\xFF'

describe.runIf(executablePath !== undefined)('the console in Chromium', () => {
  let folder: string
  let client: ConsoleClient
  let browser: Browser
  let watched: WatchedPage

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    browser = await openBrowser(executablePath!)
    client = await ConsoleClient.start({ store: `native:${folder}`, consoleWrites: true, slowLogMs: 0 })
    await client.change({ kind: 'createTable', table: 'ns_t', families: [{ name: b64('f'), versions: '3' }] })
    await client.put('ns_t', ODD, b64('<img src=x onerror="hacked=1">'), { timestamp: '9007199254740993' })
    const count = Buffer.alloc(8)
    count.writeBigInt64BE(9223372036854775807n)
    await client.put('ns_t', b64('counter'), count.toString('base64'))
    await client.put('ns_t', b64('json'), b64('{"n":9007199254740993,"list":[1,2]}'))
    for (let i = 0; i < 40; i++)
      await client.put('ns_t', b64(`row${String(i).padStart(2, '0')}`), b64(`value ${i}`))
  })
  afterAll(async () => {
    await browser?.close()
    await client?.server.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    watched = await WatchedPage.open(browser, client.origin)
  })
  afterEach(async () => {
    const { wrong } = watched
    await watched.close()
    expect(wrong).toEqual([])
  })

  const label = (text: string): Locator => watched.page.getByLabel(text, { exact: true })
  const button = (name: string): Locator => watched.page.getByRole('button', { name, exact: true })

  async function openQuery(): Promise<void> {
    await watched.page.locator('#question > summary').click()
  }

  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    writeFileSync(join(PICTURES, `${name}.png`), smallPng(await watched.page.screenshot()))
  }

  test('a newcomer makes a table, puts a row, filters it, runs the curl line and sees it in the metrics', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Tables' }).click()
    await label('Name').fill('first')
    await button('Create').click()
    await page.getByRole('heading', { name: 'Rows of first' }).waitFor()
    await label('Row').fill('r\\x00')
    await label('Column, family:qualifier').fill('f:q')
    await label('Value').fill('Zürich')
    await button('Put').click()
    await page.getByText('Zürich').waitFor()
    await openQuery()
    await label('Filter').fill("ValueFilter(=, 'substring:zür')")
    await page.getByText("parsed as ValueFilter(=, 'substring:zür')").waitFor()
    await button('Read').click()
    await page.getByText('1 row, ').waitFor()
    await button('Copy as').click()
    const command = (await page.locator('[data-command=curl]').textContent())!
    await picture('copy')
    await button('Close').click()
    const { stdout } = await execute('sh', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({
      rows: [{ key: 'r\\x00', cells: [{ column: 'f:q', value: 'Zürich' }] }],
    })
    await watched.show('', 'Overview')
    await page.getByText('rest scan GET').waitFor()
    expect(await (await client.ask('/metrics')).text()).toContain(
      'tidegate_requests_total{door="rest",service="scan",method="GET",outcome="ok"} 1\n',
    )
  })

  test('names, keys and values are shown as text, even if they contain markup', async () => {
    const { page } = watched
    await watched.show('rows/ns_t?columns=f:q', 'Rows of ns_t')
    await page.getByText(ODD_SHOWN, { exact: true }).waitFor()
    await page.getByText('<img src=x onerror="hacked=1">', { exact: true }).waitFor()
    expect(await page.locator('main script, main img').count()).toBe(0)
    expect(await page.evaluate('"hacked" in globalThis')).toBe(false)
    await watched.show(`rows/${encodeURIComponent('<img src=x>')}`, 'Rows of <img src=x>')
    await page.getByRole('alert').getByText('Illegal character').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
  })

  test('numbers have all their digits, in every form', async () => {
    const { page } = watched
    await watched.show('rows/ns_t?prefix=<', 'Rows of ns_t')
    await page.getByText('9007199254740993').waitFor()
    await watched.show('rows/ns_t?prefix=counter', 'Rows of ns_t')
    await page.getByText('\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF').waitFor()
    await label('Show values as').selectOption('int64')
    await page.getByText('9223372036854775807').waitFor()
    await watched.show('rows/ns_t?prefix=json', 'Rows of ns_t')
    await label('Show values as').selectOption('json')
    await page.getByText('"n": 9007199254740993').waitFor()
  })

  test('pages of rows follow one another, also by keyboard', async () => {
    const { page } = watched
    await watched.show('rows/ns_t?prefix=row&rows=30', 'Rows of ns_t')
    await page.getByText('row29', { exact: true }).waitFor()
    expect(await page.getByText('row30', { exact: true }).count()).toBe(0)
    await page.keyboard.press('n')
    await page.getByText('row39', { exact: true }).waitFor()
    await page.getByText('10 rows, 10 scanned, end').waitFor()
    expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0)
    await page.reload()
    await page.getByText('row29', { exact: true }).waitFor()
    expect(await label('Row prefix').inputValue()).toBe('row')
  })

  test('the list appends filters, and a caret marks the wrong character', async () => {
    const { page } = watched
    await watched.show('rows/ns_t', 'Rows of ns_t')
    await openQuery()
    await label('Filter to add').selectOption('PrefixFilter')
    await button('Add filter').click()
    await label('Filter to add').selectOption('PageFilter')
    await button('Add filter').click()
    expect(await label('Filter').inputValue()).toBe("PrefixFilter('row') AND PageFilter(10)")
    await page.getByText("parsed as PrefixFilter('row') AND PageFilter(10)").waitFor()
    await label('Filter').fill("PrefixFilter('ü') AND PageFilter(x)")
    await page.locator('.caret').waitFor()
    const [text, caret] = (await page.locator('.caret').textContent())!.split('\n')
    expect(text![caret!.indexOf('^')]).toBe('x')
    expect(await label('Filter').getAttribute('aria-invalid')).not.toBeNull()
  })

  test('the console asks before it changes a table, and a cancelled change changes nothing', async () => {
    const { page } = watched
    await client.change({ kind: 'createTable', table: 'split', families: [{ name: b64('f') }] })
    for (const row of ['a', 'm']) await client.put('split', b64(row), b64('v'))
    await watched.show('tables/split', 'split')
    const split = page.getByRole('button', { name: 'Split split', exact: true })
    const regions = page.getByRole('region', { name: 'Regions' }).locator('tbody tr')
    await split.click()
    await button('Cancel').click()
    expect(await regions.count()).toBe(1)
    await split.click()
    await page.keyboard.press('Escape')
    expect(await regions.count()).toBe(1)
    await split.click()
    await page.getByRole('dialog').getByRole('textbox').fill('m')
    expect(await watched.barriers()).toEqual([])
    await button('Split').click()
    await regions.nth(1).waitFor()
    for (const what of ['Flush', 'Compact', 'Major compact']) {
      await page.getByRole('button', { name: `${what} split`, exact: true }).click()
      await page.getByRole('dialog').getByRole('button').first().click()
      await page.getByRole('status').getByText('split: ').waitFor()
    }
    await watched.show('rows/split?view=list', 'Rows of split')
    await button('Delete row m').click()
    await button('Delete').last().click()
    await page.getByText('1 row, ').waitFor()
  })

  test('the keyboard reaches every page and field', async () => {
    const { page } = watched
    await watched.show('', 'Overview')
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    for (const [key, heading] of [
      ['t', 'Tables'],
      ['s', 'Slow log'],
      ['c', 'Compactions'],
      ['o', 'Overview'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await watched.barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await watched.show('rows/ns_t', 'Rows of ns_t')
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('ask-prefix')
    await page.keyboard.type('counter?')
    expect(await label('Row prefix').inputValue()).toBe('counter?')
  })

  test('plots move until the user pauses them', async () => {
    const { page } = watched
    const times = page.getByRole('img', { name: /^Request latency: p50 .*, p99 / })
    await times.waitFor()
    const line = page.locator('.line').first()
    await expect
      .poll(async () => (await line.getAttribute('d'))?.length, { timeout: 15_000 })
      .toBeGreaterThan(0)
    await button('Pause').click()
    await page.getByRole('button', { name: 'Resume', pressed: true }).waitFor()
  })

  test('a read-only console offers no changes', async () => {
    const reader = await ConsoleClient.start({ web: 0 })
    await fetch(`http://127.0.0.1:${reader.server.ports.rest}/t/schema`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"ColumnSchema":[{"name":"f"}]}',
    })
    const own = await WatchedPage.open(browser, reader.origin)
    for (const [path, heading] of [
      ['tables', 'Tables'],
      ['tables/t', 't'],
      ['rows/t', 'Rows of t'],
    ] as const) {
      await own.show(path, heading)
      const names = await own.page.getByRole('button').allTextContents()
      expect(
        names.filter((name) => /Create|Put|Flush|Compact|Split|Delete/i.test(name)),
        path,
      ).toEqual([])
    }
    await own.close()
    await reader.server.stop()
    expect(own.wrong).toEqual([])
  })
})
