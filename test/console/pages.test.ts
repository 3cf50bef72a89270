/** Each page of the console in a real browser, with data as users have it: for barriers, and for the pictures of docs/console. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConsoleClient } from '../doors/web/console-client.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'
import { openBrowser, WatchedPage } from './chromium.ts'
import { CONSOLE_PAGES } from './console-pages.ts'
import { startShownServer } from './shown-server.ts'
import { smallPng } from './small-png.ts'

const executablePath = process.env['TIDEGATE_CHROMIUM']
/** Where the pictures go; undefined: nowhere. */
const PICTURES = process.env['TIDEGATE_PICTURES']
const MINUTES_MS = 120_000

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The narrowest phones. */
const SMALL_PHONE = { width: 360, height: 740 }

describe.runIf(executablePath !== undefined)('the pages of the console in Chromium', () => {
  let folder: string
  let client: ConsoleClient
  let browser: Browser
  let watched: WatchedPage

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    browser = await openBrowser(executablePath!)
    client = await startShownServer(folder, PICTURES === undefined ? 2000 : undefined)
  }, MINUTES_MS)
  afterAll(async () => {
    await browser?.close()
    await client?.server.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    watched = await WatchedPage.open(browser, client.origin, { viewport: DESKTOP })
  })
  afterEach(async () => {
    const { wrong } = watched
    await watched.close()
    expect(wrong).toEqual([])
  })

  /** Asks the REST door until the plots have something to show. */
  async function drawSomething(): Promise<void> {
    const line = watched.page.locator('.line').first()
    for (let i = 0; ((await line.getAttribute('d')) ?? '').split('L').length < 8; i++) {
      const row = `order-${16_000 + (i % 3000)}`
      await (await fetch(`http://127.0.0.1:${client.server.ports.rest}/orders/${row}`)).text()
    }
  }

  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    writeFileSync(join(PICTURES, `${name}.png`), smallPng(await watched.page.screenshot()))
  }

  test.each(CONSOLE_PAGES.map((shown) => [shown.name, shown] as const))(
    '%s has no barriers: light, dark, and on a phone',
    { timeout: MINUTES_MS },
    async (_, shown) => {
      const { page } = watched
      const { path, heading, name } = shown
      await watched.show(path, heading)
      await page.waitForLoadState('networkidle')
      if (name === 'overview' && PICTURES !== undefined) await drawSomething()
      await picture(name)
      expect(await watched.barriers()).toEqual([])
      await page.getByRole('button', { name: 'Theme: system', exact: true }).click()
      await page.getByRole('button', { name: 'Theme: light', exact: true }).click()
      await picture(`${name}-dark`)
      expect(await watched.barriers()).toEqual([])
      await page.getByRole('button', { name: 'Theme: dark', exact: true }).click()
      await page.setViewportSize(PHONE)
      await picture(`${name}-phone`)
      await page.setViewportSize(SMALL_PHONE)
      expect(await watched.barriers()).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        SMALL_PHONE.width,
      )
    },
  )
})
