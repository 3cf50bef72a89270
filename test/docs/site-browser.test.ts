/** The documentation in a real browser: `npm run test:console`. Without one these tests are left out. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { openBrowser, WatchedPage } from '../console/chromium.ts'
import { PAGES, siteFile } from '../harness/docs-site/navigation.ts'
import { makeSite } from '../harness/docs-site/site.ts'
import { serveSite } from '../harness/docs-site/site-server.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'

const executablePath = process.env['TIDEGATE_CHROMIUM']
const WIDTH = 360

describe.runIf(executablePath !== undefined)('the documentation in Chromium', () => {
  const { files } = makeSite(packageRoot())
  let server: Server
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    server = await serveSite(files, 0)
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await openBrowser(executablePath!)
  })
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  test.each(PAGES)('%s has no barriers: light, dark, and on a phone', { timeout: 120_000 }, async (page) => {
    const watched = await WatchedPage.open(browser, origin, {}, `/${siteFile(page)}`)
    expect(await watched.barriers()).toEqual([])
    await watched.page.getByRole('button', { name: 'Dark or light' }).click()
    expect(await watched.page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(await watched.barriers()).toEqual([])
    await watched.page.setViewportSize({ width: WIDTH, height: 740 })
    expect(await watched.barriers()).toEqual([])
    expect(await watched.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(WIDTH)
    await watched.close()
    expect(watched.wrong).toEqual([])
  })

  test('the search finds a setting by the keyboard, and goes to its section', async () => {
    const { page, ...watched } = await WatchedPage.open(browser, origin, {}, '/')
    await page.keyboard.press('/')
    await page.keyboard.type('hbase.client.operation.timeout retries')
    await page.getByRole('status').getByText('found').waitFor()
    const [first] = await page.locator('#results a').allTextContents()
    expect(first).toContain('Timeouts and retries')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/cluster.html#timeouts-and-retries')
    await page.keyboard.press('/')
    await page.keyboard.type('nowhere-to-be-found')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('#results').isVisible()).toBe(false)
    await page.context().close()
    expect(watched.wrong).toEqual([])
  })

  test('a phone shows the page first, and the list of pages when it is asked for', async () => {
    const watched = await WatchedPage.open(
      browser,
      origin,
      { viewport: { width: WIDTH, height: 740 } },
      '/rest.html',
    )
    const { page } = watched
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Containers' })
    expect(await link.isVisible()).toBe(false)
    await page.getByText('Pages', { exact: true }).click()
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Containers' }).waitFor()
    await watched.close()
  })

  test('the pages work from a folder, without a server', async () => {
    const folder = makeTemporaryFolder()
    for (const [name, content] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    const watched = await WatchedPage.open(browser, pathToFileURL(folder).href, {}, '/index.html')
    await watched.page.getByLabel('Search').fill('multiget')
    await watched.page.getByRole('status').getByText('found').waitFor()
    await watched.page.locator('#results a').first().click()
    await watched.page.waitForURL(/#/)
    await watched.close()
    rmSync(folder, { recursive: true })
    expect(watched.wrong).toEqual([])
  })
})
