/** The ten minutes of docs/console.md, as they stand there, with the built command and a browser: `npm run test:console`. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'
import { openBrowser, WatchedPage } from './chromium.ts'

const executablePath = process.env['TIDEGATE_CHROMIUM']
const TEN_MINUTES_MS = 600_000
const execute = promisify(execFile)

const page = readFileSync('docs/console.md', 'utf8')
const [, path] = /## In ten minutes\n([\s\S]*?)\n## /.exec(page)!
const [block, options] = /```sh\ntidegate serve (.*)\n```/.exec(path!)!
const steps = path!.replace(block, '')
/** What the page says to click on. */
const CLICKS = [...steps.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!)
/** What it says to type. */
const [TABLE, FAMILY, ROW, COLUMN, VALUE, FILTER] = [...steps.matchAll(/`([^`]+)`/g)].map(([, text]) => text!)

test('the page tells the steps that the browser takes', () => {
  expect(CLICKS).toEqual(['Tables', 'Put a cell', 'Query', 'Add filter', 'Read', 'Copy as', 'Overview'])
  expect([TABLE, FAMILY, ROW, COLUMN, VALUE, FILTER]).toEqual([
    'cities',
    'f',
    'CH/1',
    'f:name',
    'Zürich',
    'ValueFilter',
  ])
})

describe.runIf(executablePath !== undefined)('a newcomer with Chromium', () => {
  test(
    'starts it, makes a table, puts a row, filters it, runs the curl line, and sees it',
    { timeout: TEN_MINUTES_MS },
    () =>
      inTemporaryFolder(async (folder) => {
        const server = await startTidegate(`native:${folder}/data`, ...options!.split(' '))
        const origin = `http://127.0.0.1:${server.port('web')}`
        const browser = await openBrowser(executablePath!)
        const watched = await WatchedPage.open(browser, origin)
        const view = watched.page
        await view.getByRole('link', { name: 'Tables', exact: true }).click()
        await view.getByLabel('Name', { exact: true }).fill(TABLE!)
        await view.getByRole('button', { name: 'Create', exact: true }).click()
        await view.getByRole('heading', { name: `Rows of ${TABLE}` }).waitFor()
        await view.getByLabel('Row', { exact: true }).fill(ROW!)
        await view.getByLabel('Column, family:qualifier', { exact: true }).fill(COLUMN!)
        await view.getByLabel('Value', { exact: true }).fill(VALUE!)
        await view.getByRole('button', { name: 'Put', exact: true }).click()
        await view.getByText(VALUE!).waitFor()
        await view.getByText('Query: ').click()
        await view.getByRole('combobox').filter({ hasText: FILTER! }).first().selectOption(FILTER!)
        await view.getByRole('button', { name: 'Add filter' }).click()
        const filter = view.getByLabel('Filter', { exact: true })
        expect(await filter.inputValue()).toContain(FILTER)
        await filter.fill(`${FILTER}(=, 'substring:zür')`)
        await view.getByText(`parsed as ${FILTER}`).waitFor()
        await view.getByRole('button', { name: 'Read', exact: true }).click()
        await view.getByText('1 row, ').waitFor()
        await view.getByRole('button', { name: 'Copy as', exact: true }).click()
        const command = (await view.locator('[data-command=curl]').textContent())!
        const { stdout } = await execute('sh', ['-c', command])
        expect(JSON.parse(stdout)).toMatchObject({
          rows: [{ key: ROW, cells: [{ column: COLUMN, value: VALUE }] }],
        })
        await view.getByRole('button', { name: 'Close', exact: true }).click()
        await view.getByRole('link', { name: 'Overview', exact: true }).click()
        await view.getByText('rest scan GET').waitFor()
        const metrics = await (await fetch(`${origin}/metrics`)).text()
        expect(metrics).toMatch(/tidegate_request_seconds_count\{[^}]*door="rest"[^}]*\} 1\n/)
        await watched.close()
        await browser.close()
        expect(watched.wrong).toEqual([])
        expect(await server.stop()).toBe(0)
      }),
  )
})
