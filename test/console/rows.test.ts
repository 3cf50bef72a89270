/** The page of rows in a real browser: wide rows, the grid, damaged rows, and tables that users sort. */

import { rmSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConsoleClient } from '../doors/web/console-client.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'
import { openBrowser, WatchedPage } from './chromium.ts'
import { startShownServer } from './shown-server.ts'

const executablePath = process.env['TIDEGATE_CHROMIUM']
const MINUTES_MS = 120_000

describe.runIf(executablePath !== undefined)('rows in Chromium', () => {
  let folder: string
  let client: ConsoleClient
  let browser: Browser
  let watched: WatchedPage

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    browser = await openBrowser(executablePath!)
    client = await startShownServer(folder, 2000)
  }, MINUTES_MS)
  afterAll(async () => {
    await browser?.close()
    await client?.server.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    watched = await WatchedPage.open(browser, client.origin, { viewport: { width: 1440, height: 900 } })
  })
  afterEach(async () => {
    const { wrong } = watched
    await watched.close()
    expect(wrong).toEqual([])
  })

  const textsOf = (selector: string): Promise<string[]> => watched.page.locator(selector).allTextContents()

  async function topOf(selector: string): Promise<number> {
    return (await watched.page.locator(selector).first().boundingBox())!.y
  }

  test('a row of 20,000 columns is a page of its first ones, and a click shows the next', async () => {
    const { page } = watched
    await watched.show('rows/sensors?prefix=history', 'Rows of sensors')
    await page.getByText('20,000 cells', { exact: true }).waitFor()
    expect(await page.locator('*').count()).toBeLessThan(1500)
    const more = page.getByRole('button', { name: 'Show 200 more cells of row history/attic' })
    await more.focus()
    await page.keyboard.press('Enter')
    await page.getByText('250 of 20,000 cells').waitFor()
    expect(await textsOf('.cells tbody tr td:first-child code')).toHaveLength(250)
    await page.getByText('d:reading-00249', { exact: true }).waitFor()
    // The next click goes on from there.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Show 200 more')
  })

  test('the first row is in the top third, and above the fold of a phone', async () => {
    const { page } = watched
    for (const [path, selector] of [
      ['rows/cities?view=grid', '.row-grid tbody tr'],
      ['rows/cities?view=list', '.cells tbody tr'],
    ] as const) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await watched.show(path, 'Rows of cities')
      await page.locator(selector).first().waitFor()
      expect(await topOf(selector)).toBeLessThan(300)
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await topOf(selector)).toBeLessThan(500)
    }
  })

  test('rows that agree in their columns are a grid, others a list, and the address keeps a choice', async () => {
    const { page } = watched
    await watched.show('rows/sensors', 'Rows of sensors')
    await page.getByRole('button', { name: 'List', pressed: true }).waitFor()
    await watched.show('rows/cities', 'Rows of cities')
    await page.getByRole('button', { name: 'Grid', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'List' }).click()
    await page.locator('.cells').waitFor()
    expect(page.url()).toContain('view=list')
    await page.reload()
    await page.getByRole('button', { name: 'List', pressed: true }).waitFor()
  })

  test('the arrow keys go through the grid, and Enter shows a cell with all its bytes', async () => {
    const { page } = watched
    await watched.show('rows/metrics', 'Rows of metrics')
    await page.locator('.row-grid').waitFor()
    await page.locator('.row-grid [tabindex="0"]').focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: /^t:0300 of \\x00/ }).waitFor()
    expect(await dialog.locator('pre').textContent()).toMatch(/^@/)
    expect(await watched.barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await dialog.getByRole('link', { name: 'All cells of this row' }).click()
    await page.getByText('1 row, ').waitFor()
  })

  test('damaged rows are named at their place, with the command that repairs, and the others are shown', async () => {
    const { page } = watched
    const whole = await client.read<{ gaps: { from: string }[] }>('rows', [
      ['table', 'orders'],
      ['rows', '500'],
    ])
    const last = Buffer.from(whole.gaps[0]!.from, 'base64').toString()
    await watched.show(`rows/orders?start=${last}&rows=10&view=list`, 'Rows of orders')
    const gap = page.getByRole('note')
    await gap.getByText('cannot be read').waitFor()
    const keys = await textsOf('.key')
    expect(keys).toHaveLength(10)
    expect(keys[0]).toBe(last)
    expect(await gap.textContent()).toMatch(`rows behind ${last} up to order-`)
    expect(await gap.textContent()).toContain(`tidegate repair ${folder} `)
    await watched.show('tables/orders', 'orders')
    const card = page.getByRole('region', { name: '2 store files are damaged' })
    await card.getByText('no row of the family can be read there').waitFor()
    expect(await card.textContent()).toContain(`tidegate repair ${folder} `)
    expect(await textsOf('.region .badge')).toEqual(['damaged', 'damaged'])
    await watched.show('tables', 'Tables')
    await page.getByText('2 damaged files').waitFor()
  })

  test('a click on a head sorts a table, by keyboard too, and the order lasts', async () => {
    const { page } = watched
    await watched.show('tables', 'Tables')
    const head = page.getByRole('columnheader', { name: 'Open regions' }).first()
    const names = (): Promise<string[]> =>
      page.getByRole('region', { name: 'Tables', exact: true }).locator('tbody th').allTextContents()
    await head.getByRole('button').focus()
    await page.keyboard.press('Enter')
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    expect(await names()).toEqual(['metrics', 'cities', 'orders', 'sensors'])
    await page.keyboard.press('Enter')
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    expect((await names())[0]).toBe('sensors')
    await watched.show('slow', 'Slow log')
    await watched.show('tables', 'Tables')
    expect((await names())[0]).toBe('sensors')
    expect(await watched.barriers()).toEqual([])
  })

  test('actions are for the regions that are selected', async () => {
    const { page } = watched
    await watched.show('tables/metrics', 'metrics')
    const boxes = page.getByRole('checkbox')
    expect(await boxes.count()).toBe(60)
    await boxes.nth(1).check()
    await boxes.nth(2).check()
    await page.getByRole('button', { name: 'Flush 2 regions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Flush' }).click()
    await page.getByRole('status').getByText('2 regions: flushed').waitFor()
    await page.getByRole('button', { name: 'Flush metrics' }).waitFor()
  })
})
