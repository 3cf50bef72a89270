// `node tools/newest-node/run.js FILE ARGS` runs a script on the newest Node. Where there is none, it says so, and has not failed.
import { spawnSync } from 'node:child_process'
import { newestNode } from './newest-node.js'

const program = newestNode()
if (program === undefined) {
  console.error(
    `not run: no newest Node for ${process.platform}-${process.arch}: npm install --prefix tools/newest-node`,
  )
} else {
  const { status, error } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' })
  if (error !== undefined) throw error
  process.exitCode = status ?? 1
}
