/** A headless Chromium for tests, and what they watch in its pages. */

import type { AxeResults } from 'axe-core'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

export async function openBrowser(executablePath: string): Promise<Browser> {
  // Chromium's own sandbox does not work for root, as in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // Letters with edges in shades of one colour make smaller pictures.
  args.push('--disable-lcd-text')
  return await chromium.launch({ executablePath, args })
}

/** A page that notes what goes wrong in it, and what it asks of other servers. */
export class WatchedPage {
  readonly page: Page
  readonly wrong: string[] = []

  private constructor(page: Page, origin: string) {
    this.page = page
    page.on('pageerror', (error) => this.wrong.push(error.message))
    page.on('console', (message) => {
      // Refusals that a test provokes are answers, and no faults of the page.
      if (message.type() === 'error' && !message.text().includes('status of 4'))
        this.wrong.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.wrong.push(`asks ${request.url()}`)
    })
  }

  static async open(
    browser: Browser,
    origin: string,
    options: BrowserContextOptions = {},
    path = '/console/',
  ): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })
    context.setDefaultTimeout(10_000)
    const watched = new WatchedPage(await context.newPage(), origin)
    await watched.page.goto(`${origin}${path}`)
    return watched
  }

  /** Shows a page of the console, and waits for what it shows first. */
  async show(path: string, heading: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`)
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }

  /** What axe-core finds, as sentences. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(axe.source)
    const { violations } = await this.page.evaluate<AxeResults>('axe.run()')
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    )
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
