/**
 * Every fenced block of commands in the documents is run in a shell, or says why not. A block runs in a folder of its page, which
 * has the page's seed, against a server in test mode that listens on other ports than the documents say. A block that
 * starts a server is run until that is ready.
 */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChildServer } from '../harness/child-server.ts'
import { inTemporaryFolder, MAIN, startTidegate } from '../harness/tidegate-process.ts'
import { type ShBlock, shBlocks } from './sh-blocks.ts'

const execute = promisify(execFile)
const PAGES = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'kits/README.md',
  ...['node', 'java', 'python'].map((kit) => `kits/${kit}/README.md`),
]
const BLOCKS = PAGES.flatMap((page) => shBlocks(page, readFileSync(page, 'utf8')))
const RUNNING = BLOCKS.filter(({ notRun, runBy }) => notRun === undefined && runBy === undefined)
const DOORS: Readonly<Record<string, string>> = {
  '8080': 'rest',
  '9090': 'thrift',
  '16020': 'rpc',
  '16000': 'master',
  '2181': 'zookeeper',
  '16010': 'web',
  '8188': 'timeline',
}
const SERVES = /^(?:npx )?tidegate serve (.*)$/

let server: ChildServer
beforeAll(async () => {
  server = await startTidegate('memory', '--test-mode', '--timeline', '0')
}, 120_000)
afterAll(async () => {
  await server.stop()
})

/** The command with the ports on which the server of the test listens. */
function onPorts(commands: string): string {
  return commands.replaceAll(/(?<=127\.0\.0\.1:|localhost:)(\d+)/g, (port) =>
    DOORS[port] === undefined ? port : String(server.port(DOORS[port])),
  )
}

async function makeTables(tables: ShBlock['tables']): Promise<void> {
  const seed = { tables }
  const answer = await fetch(`http://127.0.0.1:${server.port('web')}/_test/reset`, {
    method: 'POST',
    body: JSON.stringify(seed),
  })
  expect(await answer.text()).toBe('{}')
}

/** What a shell makes of the block; throws where a command of it fails. */
async function run(block: ShBlock, folder: string): Promise<void> {
  const { commands, tables } = block
  const served = SERVES.exec(commands.replaceAll(/ \\\n */g, ' '))
  if (served !== null) return await serves(served[1]!.split(/\s+/), folder)
  await makeTables(tables)
  const define = `tidegate() { "${process.execPath}" "${MAIN}" "$@"; }\nnpx() { "$@"; }\n`
  const script = onPorts(commands).replaceAll(/\bcurl /g, 'curl -f ')
  await execute('sh', ['-e', '-c', `${define}${script}`], { cwd: folder, timeout: 60_000 })
}

/** Free ports take the place of those that the command states, and of the default ones. */
async function serves(words: readonly string[], folder: string): Promise<void> {
  const doors = ['rest', 'thrift', 'rpc', 'zookeeper', 'web'].map((door) => `--${door}`)
  const kept = words.filter((word, i) => !doors.includes(word) && !doors.includes(words[i - 1]!))
  const ports = doors.flatMap((door) => [door, '0'])
  const store = kept.includes('--store') ? [] : ['--store', `native:${join(folder, 'data')}`]
  const inFolder = kept.map((word) => word.replace(/(?<=^native:)\.\//, `${folder}/`))
  const args = inFolder.map((word) => (word.endsWith('.json') ? join(folder, word) : word))
  const child = await ChildServer.start(MAIN, ['serve', ...args, ...store, ...ports, '--log-level', 'error'])
  expect(await child.stop()).toBe(0)
}

describe('the commands of the documents', () => {
  test('stand in fenced blocks, each with a reason where no test runs it', () => {
    expect(RUNNING.length).toBeGreaterThan(10)
    for (const { notRun, runBy, page, line } of BLOCKS) {
      if (notRun !== undefined) expect(notRun.split(' ').length, `${page}:${line}`).toBeGreaterThan(2)
      if (runBy !== undefined) expect(readFileSync(runBy, 'utf8'), `${page}:${line}`).toContain(page)
    }
    const command = /^ {4}(?:npm|npx|tidegate|docker|curl|openssl|kubectl|mvn|pip) /
    for (const page of PAGES) {
      const lines = readFileSync(page, 'utf8').split('\n')
      expect(
        lines.filter((line) => command.test(line)),
        page,
      ).toEqual([])
    }
  })

  const pages = [...new Set(RUNNING.map(({ page }) => page))]
  test.each(pages)('of %s run', { timeout: 180_000 }, (page) =>
    inTemporaryFolder(async (folder) => {
      const seed = /```json\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'))?.[1] ?? '{}'
      for (const name of ['seed.json', 'other-seed.json']) writeFileSync(join(folder, name), seed)
      for (const block of RUNNING) {
        if (block.page !== page) continue
        const outcome = await run(block, folder).then(
          () => 'done',
          (error: Error) => error.message,
        )
        expect(outcome, `${page}:${block.line}`).toBe('done')
      }
    }),
  )
})
