/** Loads the cities of the world through Thrift and asks for them back over Thrift and REST: `npm run demo:load`. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { runDemo } from '../test/harness/demo/questions.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-demo-'))
  const args = [
    'serve',
    '--store',
    `native:${directory}`,
    '--rest',
    '0',
    '--thrift',
    '0',
    '--rpc',
    'off',
    '--zookeeper',
    'off',
    '--web',
    'off',
    '--log-level',
    'warn',
  ]
  const tidegate = await ChildServer.start(SERVE, args)
  try {
    await runDemo({ rest: tidegate.port('rest'), thrift: tidegate.port('thrift') }, (line) =>
      process.stdout.write(`${line}\n`),
    )
    process.stdout.write(
      `resident memory of the server: ${Math.round(tidegate.residentBytes() / 1048576)} MiB\n`,
    )
  } finally {
    await tidegate.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
