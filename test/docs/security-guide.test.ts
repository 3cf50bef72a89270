/** The steps of docs/security.md, in their order, in one folder. Ports and passwords are the test's own. */

import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ChildServer } from '../harness/child-server.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'
import { shBlocks } from './sh-blocks.ts'

const execute = promisify(execFile)
const PAGE = 'docs/security.md'
const STEPS = shBlocks(PAGE, readFileSync(PAGE, 'utf8'))
  .map(({ commands }) => commands.replaceAll(/ *\\\n */g, ' '))
  .filter((commands) => !commands.includes('/etc/tidegate'))
const PASSWORD = 'a password for the test'
const HAS_PROGRAMS = ['curl', 'openssl'].every(
  (program) => spawnSync(program, ['version'], { stdio: 'ignore' }).error === undefined,
)

/** The folder's server. Each `tidegate serve` of the page takes the place of the one before. */
class Guide {
  readonly #folder: string
  #server: ChildServer | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the output of a block; empty for one that starts a server. */
  async run(commands: string): Promise<string> {
    // A stop writes the last lines of the audit log.
    if (commands.startsWith('grep ')) await this.stop()
    if (commands.startsWith('tidegate serve ')) return await this.#serve(commands.split(' ').slice(2))
    const define = `tidegate() { "${process.execPath}" "${MAIN}" "$@"; }`
    const script = this.#onPorts(commands)
      .replaceAll(/^tidegate user add .*$/gm, (line) => `echo "$TIDEGATE_PASSWORD" | ${line}`)
      .replaceAll('--user alice', '--user "alice:$TIDEGATE_PASSWORD"')
      .replaceAll(/\bcurl /g, 'curl -sS ')
    const env = { ...process.env, TIDEGATE_PASSWORD: PASSWORD }
    const { stdout } = await execute('sh', ['-c', `${define}\n${script}`], { cwd: this.#folder, env })
    return stdout
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    this.#server = undefined
  }

  async #serve(words: readonly string[]): Promise<string> {
    await this.stop()
    const placed = words.map((word) =>
      word.replace(/^(?=secrets\/|audit\.log$)|(?<=^native:)\.\//, `${this.#folder}/`),
    )
    this.#server = await ChildServer.start(MAIN, ['serve', ...placed, ...FREE_PORTS, '--log-level', 'fatal'])
    return ''
  }

  #onPorts(commands: string): string {
    const ports = { '8080': 'rest', '16020': 'rpc' } as const
    return commands.replaceAll(/(?<=localhost:)(8080|16020)/g, (port) =>
      String(this.#server?.port(ports[port as keyof typeof ports])),
    )
  }
}

test.skipIf(!HAS_PROGRAMS)('lead from an open server to one with an audit log', { timeout: 240_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const guide = new Guide(folder)
    const printed: string[] = []
    try {
      for (const commands of STEPS) printed.push(await guide.run(commands))
    } finally {
      await guide.stop()
    }
    const text = printed.join('')
    expect(text).toContain('this port takes connections with TLS: use https://')
    expect(text).toContain('Unauthorized')
    expect(text).toContain('alice ,sales,,: [Permission: actions=READ]')
    expect(text).toMatch(/^helloForbidden$/m)
    expect(text.match(/^rest .*\[Server: tidegate\]/gm)).toHaveLength(2)
    expect(printed.at(-1)).toContain('"action":"mutate","scope":"sales","allowed":false')
  }),
)
