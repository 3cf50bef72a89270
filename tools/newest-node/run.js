// `node tools/newest-node/run.js FILE ARGS` runs a script on the newest Node. Where there is none, it says so, and has not failed.
import { spawn } from 'node:child_process'
import { newestNode } from './newest-node.js'

const program = newestNode()
if (program === undefined) {
  console.error(
    `not run: no newest Node for ${process.platform}-${process.arch}: npm install --prefix tools/newest-node`,
  )
} else {
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' })
  // A signal to this process is meant for the script.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status) => (process.exitCode = status ?? 1))
}
