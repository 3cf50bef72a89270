/** The console's pages of the server in a real browser: navigation, plots, snapshots, the log, settings, users, and a restart. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { b64, ConsoleClient } from '../doors/web/console-client.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'
import { openBrowser, WatchedPage } from './chromium.ts'

const executablePath = process.env['TIDEGATE_CHROMIUM']
const MINUTE_MS = 60_000
const PHONE = { width: 390, height: 844 }

describe.runIf(executablePath !== undefined)('the pages of the server in Chromium', () => {
  let folder: string
  let client: ConsoleClient
  let browser: Browser
  let watched: WatchedPage

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    browser = await openBrowser(executablePath!)
    client = await ConsoleClient.start({ store: `native:${join(folder, 'data')}`, consoleWrites: true })
    await client.change({ kind: 'createTable', table: 'cities', families: [{ name: b64('f') }] })
    await client.put('cities', b64('CH/1'), b64('Zürich'))
  }, MINUTE_MS)
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

  test('every page has a key, and the list of keys has them all', async () => {
    const { page } = watched
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await links.first().waitFor()
    const titles = await links.allTextContents()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const [keys, words] = [
      await dialog.locator('dt').allTextContents(),
      await dialog.locator('dd').allTextContents(),
    ]
    await page.keyboard.press('Escape')
    const ofPages = keys.flatMap((key, index) =>
      key.startsWith('g ') ? [[key.slice(2), words[index]!] as const] : [],
    )
    expect(ofPages.map(([, title]) => title)).toEqual(titles)
    expect(new Set(ofPages.map(([key]) => key)).size).toBe(titles.length)
    for (const [key, title] of ofPages.toReversed()) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      const current = page.getByRole('navigation').locator('[aria-current=page]')
      expect(await current.textContent()).toBe(title)
    }
  })

  test('on a phone the pages are behind a menu, which the keyboard opens and closes', async () => {
    const { page } = watched
    await page.setViewportSize(PHONE)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const menu = page.getByRole('button', { name: /^Menu: / })
    const link = page.getByRole('link', { name: 'Snapshots' })
    expect(await link.isVisible()).toBe(false)
    await menu.focus()
    await page.keyboard.press('Enter')
    await link.waitFor()
    expect(await watched.barriers()).toEqual([])
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Overview')
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    await menu.click()
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Snapshots' }).waitFor()
    expect([await link.isVisible(), await menu.textContent()]).toEqual([false, 'Menu: Snapshots'])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
  })

  test('a plot reads the values of a moment, by pointer and by keyboard', {
    timeout: MINUTE_MS,
  }, async () => {
    const { page } = watched
    await expect
      .poll(async () => (await client.read<{ at: number[] }>('history')).at.length, { timeout: 30_000 })
      .toBeGreaterThan(1)
    await page.reload()
    const reader = page.getByRole('slider', { name: 'Connections: time' })
    await reader.focus()
    const last = await reader.getAttribute('aria-valuetext')
    expect(last).toMatch(/^\d\d:\d\d:\d\d: open \d+$/)
    await page.keyboard.press('ArrowLeft')
    const before = await reader.getAttribute('aria-valuetext')
    expect(before).not.toBe(last)
    const figure = page.locator('figure').filter({ has: reader })
    expect(await figure.locator('.cursor').getAttribute('visibility')).toBe('visible')
    expect(await figure.locator('figcaption').textContent()).toContain(before!.slice(0, 8))
    await page.keyboard.press('Tab')
    expect(await figure.locator('.cursor').getAttribute('visibility')).toBe('hidden')
    await figure.locator('svg').hover()
    expect(await figure.locator('.cursor').getAttribute('visibility')).toBe('visible')
    await button('1 h').click()
    expect(await button('1 h').getAttribute('aria-pressed')).toBe('true')
  })

  test('an empty page says what to do, and snapshots are made, cloned, restored and deleted', async () => {
    const { page } = watched
    await watched.show('snapshots', 'Snapshots')
    await page.getByRole('heading', { name: 'No snapshots' }).waitFor()
    await label('Table').selectOption('cities')
    await label('Name: letters, digits, _ - .').fill('monday')
    await button('Create').click()
    await page.getByRole('status').getByText('Created: monday').waitFor()
    await button('Clone monday').click()
    await page.getByRole('dialog').getByRole('textbox').fill('copy')
    expect(await watched.barriers()).toEqual([])
    await button('Clone').click()
    await page.getByRole('status').getByText('Cloned: monday').waitFor()
    await client.put('cities', b64('CH/1'), b64('Bern'))
    await button('Restore monday').click()
    await button('Cancel').click()
    await button('Restore monday').click()
    await button('Restore').click()
    await page.getByRole('status').getByText('Restored: monday').waitFor()
    await watched.show('rows/cities', 'Rows of cities')
    await page.getByText('Zürich').waitFor()
    await watched.show('snapshots', 'Snapshots')
    await label('Name: letters, digits, _ - .').fill('monday')
    await button('Create').click()
    await page.getByRole('alert').getByText('already stored').waitFor()
    await button('Delete monday').click()
    await button('Delete').click()
    await page.getByRole('heading', { name: 'No snapshots' }).waitFor()
  })

  test('the log is filtered by level and by words, and the settings too', async () => {
    const { page } = watched
    await client.change({ kind: 'flush', table: 'cities' })
    await watched.show('log', 'Log')
    await page.getByText('the console: flush of cities').waitFor()
    await label('Find in the log').fill('flush of')
    await expect.poll(() => page.locator('.log li:visible').count()).toBe(1)
    await button('Errors').click()
    await page.getByRole('heading', { name: 'No errors' }).waitFor()
    expect(page.url()).toMatch(/#\/log\?level=error$/)
    await watched.show('settings', 'Settings')
    await label('Find a setting').fill('console-writes')
    const shown = page.locator('.settings li:visible')
    await expect.poll(() => shown.count()).toBe(1)
    expect(await shown.textContent()).toMatch(/--console-writes.*option consoleWrites.*yes/s)
    await page.getByRole('button', { name: /^Not at their defaults: \d+$/ }).click()
    await label('Find a setting').fill('')
    await expect.poll(() => shown.count()).toBeGreaterThan(1)
    expect(await page.getByText('--otlp-endpoint').isVisible()).toBe(false)
  })
})

describe.runIf(executablePath !== undefined)('a restart while the overview is open', () => {
  test('the page says so, and goes on with the new server', { timeout: 2 * MINUTE_MS }, async () => {
    const browser = await openBrowser(executablePath!)
    const first = await ConsoleClient.start()
    const { web } = first.server.ports
    const watched = await WatchedPage.open(browser, first.origin)
    const { page } = watched
    await page.getByRole('heading', { name: 'Load' }).waitFor()
    await first.server.stop()
    await page.getByRole('status').getByText('The server does not answer').waitFor()
    expect(await page.getByRole('heading', { name: 'Load' }).isVisible()).toBe(true)
    const second = await ConsoleClient.start({ web: web! })
    await page.getByText('The server does not answer').waitFor({ state: 'detached' })
    await page.getByText('web console GET').waitFor()
    // Another page that was asked for meanwhile comes by itself.
    await second.server.stop()
    await page.evaluate('location.hash = "#/settings"')
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor()
    const third = await ConsoleClient.start({ web: web! })
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await watched.close()
    await browser.close()
    await third.server.stop()
    expect(watched.wrong.filter((sentence) => !sentence.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
  })
})
